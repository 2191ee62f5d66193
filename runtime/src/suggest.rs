//! The nearest known name to one that is not known, so that an error says what was probably meant.

/// `did you mean …`, or the list of what there is. `what` names the list in plural.
pub(crate) fn among(name: &str, known: &[&str], what: &str) -> String {
    if let Some(nearest) = nearest(name, known) {
        return format!("did you mean `{nearest}`?");
    }
    if known.is_empty() {
        return format!("there are no {what}");
    }
    let names: Vec<String> = known.iter().take(20).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > 20 { ", …" } else { "" };
    format!("the {what} are {}{more}", names.join(", "))
}

/// The known name with the fewest edits, when these are few for its length: none in names of one or two letters.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = |known: &&'a str| {
        let longest = name.chars().count().max(known.chars().count());
        let allowed = if longest < 3 { 0 } else { (longest / 3).max(1) };
        let edits = edits(name, known);
        (edits <= allowed).then_some((edits, *known))
    };
    known.iter().filter_map(near).min().map(|(_, known)| known)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let mut previous = None;
    for (row, from) in from.chars().enumerate() {
        let mut next = vec![row + 1];
        for (column, letter) in to.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX - 1);
            let mut best = at(&last, column) + usize::from(*letter != from);
            best = best.min(at(&last, column + 1) + 1).min(at(&next, column) + 1);
            let swapped = column > 0 && previous == Some(*letter) && to.get(column - 1) == Some(&from);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut last, next);
        previous = Some(from);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (from, to, count) in
            [("serach", "search", 1), ("a", "a", 0), ("", "abc", 3), ("kitten", "sitting", 3)]
        {
            assert_eq!(edits(from, to), count, "{from} {to}");
        }
    }

    #[test]
    fn suggests_or_lists() {
        assert_eq!(among("serach", &["search", "read"], "ops"), "did you mean `search`?");
        assert_eq!(among("x", &["search", "read"], "ops"), "the ops are `search`, `read`");
        assert_eq!(among("x", &[], "ops"), "there are no ops");
    }
}
