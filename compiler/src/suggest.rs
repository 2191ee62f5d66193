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

/// Whether a near candidate is surely meant: it differs in case, `-` and `_` only, or in one character of a name of four
/// or more, and no other candidate is as near.
#[must_use]
pub fn is_certain<'a>(written: &str, near: &str, candidates: impl IntoIterator<Item = &'a str>) -> bool {
    let folded = fold(written);
    let distance = |name: &str| strsim::osa_distance(&folded, &fold(name));
    let least = distance(near);
    let long = folded.chars().count() >= 4;
    let rival = |name: &str| name != near && distance(name) <= least;
    (least == 0 || (least == 1 && long)) && !candidates.into_iter().any(rival)
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
    fn one_character_of_a_longer_name_is_certain_unless_another_is_as_near() {
        assert!(is_certain("comand", "command", ["command", "url"]));
        assert!(is_certain("timeoutMs", "timeout_ms", ["timeout_ms"]));
        assert!(!is_certain("timeout", "timeout_ms", ["timeout_ms"]));
        assert!(!is_certain("uri", "url", ["url"]));
        assert!(!is_certain("PUST", "POST", ["POST", "PUT"]));
    }
}
