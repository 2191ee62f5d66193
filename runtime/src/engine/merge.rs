//! One list of hits from many: weighted reciprocal ranks, because the scores of different systems do not compare.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::mapping::Hit;

/// What one source found, best first.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) weight: f64,
    pub(crate) hits: Vec<Hit>,
}

struct Ranked {
    merged: f64,
    /// What the hit that is shown brought itself; of one URI the best is shown.
    own: f64,
    rank: usize,
    hit: Hit,
}

/// Merges the lists; of hits with the same URI one stays, with the scores of all. At most `limit`.
pub(crate) fn merge(found: Vec<Found>, limit: usize) -> Vec<Hit> {
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut by_uri: HashMap<String, usize> = HashMap::new();
    for Found { weight, hits } in found {
        for (hit, rank) in hits.into_iter().zip(1..) {
            let own = share(weight, rank);
            let known =
                hit.uri.as_ref().and_then(|uri| by_uri.get(uri)).and_then(|place| ranked.get_mut(*place));
            if let Some(same) = known {
                same.add(own, rank, hit);
                continue;
            }
            if let Some(uri) = &hit.uri {
                by_uri.insert(uri.clone(), ranked.len());
            }
            ranked.push(Ranked { merged: own, own, rank, hit });
        }
    }
    ranked.sort_by(Ranked::order);
    ranked.into_iter().take(limit).map(|ranked| ranked.hit).collect()
}

/// `weight / (8 + rank)`, rank from 1.
fn share(weight: f64, rank: usize) -> f64 {
    // A rank beyond the numbers that have an exact form is of no consequence.
    weight / (8.0 + u32::try_from(rank).map_or(f64::MAX, f64::from))
}

impl Ranked {
    fn add(&mut self, own: f64, rank: usize, hit: Hit) {
        self.merged += own;
        if own > self.own {
            (self.own, self.rank, self.hit) = (own, rank, hit);
        }
    }

    /// Best first; ties by the name of the source, then as the source had them.
    fn order(&self, other: &Self) -> Ordering {
        other
            .merged
            .total_cmp(&self.merged)
            .then_with(|| self.hit.source.cmp(&other.hit.source))
            .then_with(|| self.rank.cmp(&other.rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str, weight: f64, uris: &[&str]) -> Found {
        let hit = |uri: &&str| Hit {
            source: source.to_owned(),
            title: None,
            snippet: None,
            uri: Some((*uri).to_owned()),
            score: 1.into(),
            kind: None,
            date: None,
        };
        Found { weight, hits: uris.iter().map(hit).collect() }
    }

    fn order(found: Vec<Found>, limit: usize) -> Vec<(String, String)> {
        merge(found, limit).into_iter().map(|hit| (hit.source, hit.uri.unwrap_or_default())).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(source, uri)| ((*source).to_owned(), (*uri).to_owned())).collect()
    }

    #[test]
    fn ranks_interleave_and_ties_go_by_name() {
        let answer = order(vec![found("b", 0.9, &["b1", "b2"]), found("a", 0.9, &["a1", "a2"])], 10);
        assert_eq!(answer, pairs(&[("a", "a1"), ("b", "b1"), ("a", "a2"), ("b", "b2")]));
    }

    #[test]
    fn the_same_uri_adds() {
        let answer = order(vec![found("a", 0.9, &["x", "both"]), found("b", 0.9, &["y", "both"])], 10);
        assert_eq!(answer, pairs(&[("a", "both"), ("a", "x"), ("b", "y")]));
    }

    #[test]
    fn weight_counts_and_the_limit_holds() {
        let answer = order(vec![found("a", 0.1, &["a1"]), found("z", 1.0, &["z1", "z2"])], 2);
        assert_eq!(answer, pairs(&[("z", "z1"), ("z", "z2")]));
    }
}
