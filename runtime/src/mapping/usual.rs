//! The names under which systems usually keep what a hit needs.

use kontext_plan::result::HitField;
use serde_json::Value;

use super::field::{COUNT, Found, place};
use super::item::Item;
use super::nothing::is_empty;

/// Every field under the first of its names that is there and not empty.
pub(super) fn fields<'i>(item: &'i Item<'_>) -> [Option<Found<'i>>; COUNT] {
    let mut found = [const { None }; COUNT];
    match item {
        Item::Text(piece) => {
            let [title, snippet, ..] = &mut found;
            *title = Some(piece.title).filter(|text| !text.is_empty()).map(Found::Text);
            *snippet = Some(piece.text).filter(|text| !text.is_empty()).map(Found::Text);
        }
        Item::Value(Value::Object(members)) => {
            let mut ranks = [u8::MAX; COUNT];
            for (key, value) in members {
                for (field, rank) in served(key) {
                    if let (Some(slot), Some(best)) =
                        (found.get_mut(place(*field)), ranks.get_mut(place(*field)))
                        && rank < best
                        && !is_empty(value)
                    {
                        *best = *rank;
                        *slot = Some(Found::Value(value));
                    }
                }
            }
        }
        Item::Value(_) => {}
    }
    found
}

/// The fields that a name serves and its rank among the names of each; the least wins. One look at every key of an
/// item costs less than looking every name up in it.
fn served(key: &str) -> &'static [(HitField, u8)] {
    use HitField::{Date, Kind, Score, Snippet, Title, Uri};
    match key.len() {
        2 => match key {
            "id" => &[(Title, 6), (Uri, 4)],
            _ => &[],
        },
        3 => match key {
            "uri" => &[(Title, 4), (Uri, 0)],
            "url" => &[(Uri, 1)],
            _ => &[],
        },
        4 => match key {
            "name" => &[(Title, 1)],
            "path" => &[(Title, 5), (Uri, 2)],
            "text" => &[(Snippet, 4)],
            "body" => &[(Snippet, 6)],
            "file" => &[(Uri, 3)],
            "rank" => &[(Score, 3)],
            "kind" => &[(Kind, 0)],
            "type" => &[(Kind, 1)],
            "date" => &[(Date, 0)],
            "time" => &[(Date, 3)],
            _ => &[],
        },
        5 => match key {
            "title" => &[(Title, 0)],
            "score" => &[(Score, 0)],
            _ => &[],
        },
        7 => match key {
            "subject" => &[(Title, 2)],
            "heading" => &[(Title, 3)],
            "snippet" => &[(Snippet, 0)],
            "summary" => &[(Snippet, 2)],
            "content" => &[(Snippet, 3)],
            _ => &[],
        },
        8 => match key {
            "abstract" => &[(Snippet, 1)],
            "overview" => &[(Snippet, 7)],
            "category" => &[(Kind, 3)],
            _ => &[],
        },
        9 => match key {
            "relevance" => &[(Score, 1)],
            "timestamp" => &[(Date, 4)],
            _ => &[],
        },
        10 => match key {
            "similarity" => &[(Score, 2)],
            "created_at" => &[(Date, 1)],
            "updated_at" => &[(Date, 2)],
            _ => &[],
        },
        11 => match key {
            "description" => &[(Snippet, 5)],
            _ => &[],
        },
        12 => match key {
            "context_type" => &[(Kind, 2)],
            _ => &[],
        },
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_serves_its_fields_in_order() {
        let table = [
            (HitField::Title, "title name subject heading uri path id"),
            (HitField::Snippet, "snippet abstract summary content text description body overview"),
            (HitField::Uri, "uri url path file id"),
            (HitField::Score, "score relevance similarity rank"),
            (HitField::Kind, "kind type context_type category"),
            (HitField::Date, "date created_at updated_at time timestamp"),
        ];
        for (field, names) in table {
            for (rank, name) in names.split(' ').enumerate() {
                let rank = u8::try_from(rank).unwrap();
                assert!(served(name).contains(&(field, rank)), "{name}");
                for (other, _) in served(name) {
                    let listed = table.iter().find(|(field, _)| field == other).unwrap().1;
                    assert!(listed.split(' ').any(|listed| listed == name), "{name}");
                }
            }
        }
    }
}
