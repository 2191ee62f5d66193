//! The nearest known name, or none: a silly suggestion is worse than no suggestion.

/// Names that are compared with one that is unknown, and that a message lists: with more of each, time and words would
/// grow with their product.
pub const MOST: usize = 200;
/// Characters of a name that is compared.
const LONGEST: usize = 100;

/// The candidate nearest to what was written, when it is near enough to be meant: at most a third of the longer
/// name's characters differ (one character may always differ in names of three or more). The first [`MOST`] are
/// looked at.
#[must_use]
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.chars().nth(LONGEST).is_some() {
        return None;
    }
    let folded = fold(written);
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| candidate.chars().nth(2 * LONGEST).is_none())
        .filter_map(|candidate| {
            let distance = strsim::osa_distance(&folded, &fold(candidate));
            let longest = folded.chars().count().max(candidate.chars().count());
            let allowed = if longest < 3 { 0 } else { (longest / 3).max(1) };
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)))
        .map(|(_, candidate)| candidate)
}

/// Whether a near candidate is surely meant: it differs in case, `-` and `_` only, or in one character of a name of four
/// or more, and no other candidate is as near.
#[must_use]
pub fn is_certain<'a>(written: &str, near: &str, candidates: impl IntoIterator<Item = &'a str>) -> bool {
    let folded = fold(written);
    let distance = |name: &str| strsim::osa_distance(&folded, &fold(name));
    let least = distance(near);
    let long = folded.chars().count() >= 4;
    let rival = |(at, name): (usize, &str)| at >= MOST || (name != near && distance(name) <= least);
    (least == 0 || (least == 1 && long)) && !candidates.into_iter().enumerate().any(rival)
}

/// Names that differ only in case, `-` and `_` are the same slip.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_certain, nearest};

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

    #[test]
    fn only_so_many_names_of_such_a_length_are_compared() {
        let many: Vec<String> = (0..super::MOST + 1).map(|number| format!("name-{number}")).collect();
        let many = || many.iter().map(String::as_str);
        assert_eq!(nearest("nam-7", many()), Some("name-7"));
        assert!(!is_certain("nam-7", "name-7", many()));
        let long = "n".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(nearest("command", [long.as_str(), "comand"]), Some("comand"));
    }

    #[test]
    fn one_character_of_a_longer_name_is_certain_unless_another_is_as_near() {
        assert!(is_certain("comand", "command", ["command", "url"]));
        assert!(is_certain("timeoutMs", "timeout_ms", ["timeout_ms"]));
        assert!(!is_certain("timeout", "timeout_ms", ["timeout_ms"]));
        assert!(!is_certain("uri", "url", ["url"]));
        assert!(!is_certain("PUST", "POST", ["POST", "PUT"]));
    }
}
