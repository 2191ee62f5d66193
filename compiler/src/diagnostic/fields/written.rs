//! How TOML writes a key, a text and a list, for messages that show what to write.

/// A key as TOML writes it: bare where that is allowed.
#[must_use]
pub fn key(key: &str) -> String {
    let bare = !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if bare { key.to_owned() } else { string(key) }
}

/// A text as a TOML string: basic, or literal where that saves escapes.
#[must_use]
pub fn string(text: &str) -> String {
    let needs_escape = text.contains(['"', '\\']);
    if needs_escape && !text.contains(['\'']) && !text.chars().any(char::is_control) {
        return format!("'{text}'");
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Texts as a TOML array.
#[must_use]
pub fn array<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<String> = texts.into_iter().map(string).collect();
    format!("[{}]", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{array, key, string};

    #[test]
    fn texts_are_written_as_toml() {
        assert_eq!(string(r"C:\new"), r"'C:\new'");
        assert_eq!(string("a'b\"c\n"), "\"a'b\\\"c\\n\"");
        assert_eq!(key("a b"), "\"a b\"");
        assert_eq!(array(["rg", "--json"]), r#"["rg", "--json"]"#);
    }
}
