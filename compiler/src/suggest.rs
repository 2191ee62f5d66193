//! The nearest known name, or none: a silly suggestion is worse than no suggestion.

/// The candidate nearest to what was written, when it is near enough to be meant: at most a third of the longer
/// name's characters differ (one character may always differ in names of three or more).
#[must_use]
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(written);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let distance = strsim::osa_distance(&folded, &fold(candidate));
            let longest = folded.chars().count().max(candidate.chars().count());
            let allowed = if longest < 3 { 0 } else { (longest / 3).max(1) };
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)))
        .map(|(_, candidate)| candidate)
}

/// Names that differ only in case, `-` and `_` are the same slip.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let keys = ["command", "timeout_ms", "ops", "env", "url", "description"];
        assert_eq!(nearest("comand", keys), Some("command"));
        assert_eq!(nearest("timeout", keys), Some("timeout_ms"));
        assert_eq!(nearest("timeoutMs", keys), Some("timeout_ms"));
        assert_eq!(nearest("op", keys), Some("ops"));
        assert_eq!(nearest("zzz", keys), None);
        assert_eq!(nearest("x", keys), None);
    }
}
