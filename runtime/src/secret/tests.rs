use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn masked(secret: &str, text: &str) -> String {
    Mask::new([secret]).text(text).into_owned()
}

#[test]
fn plain_text_is_masked_wherever_it_stands() {
    let table = [
        ("tok-12345678", "tok-12345678", "***"),
        ("tok-12345678", "a tok-12345678 b tok-12345678", "a *** b ***"),
        ("tok-12345678", "tok-1234567", "tok-1234567"),
        ("short", "short", "short"),
        ("sé-cret-ñ", "«sé-cret-ñ»", "«***»"),
        ("aaaaaaaa", "aaaaaaaaaaa!", "***!"),
        ("  padded-secret\n", "x padded-secret y", "x *** y"),
    ];
    for (secret, text, wanted) in table {
        assert_eq!(masked(secret, text), wanted, "{secret:?} in {text:?}");
    }
}

#[test]
fn overlapping_secrets_leave_nothing_of_either() {
    let mask = Mask::new(["abcdefgh12", "gh12345678", "cdefgh12"]);
    assert_eq!(mask.text("<abcdefgh12345678>"), "<***>");
}

#[test]
fn percent_encoded_forms_are_masked() {
    let secret = "p w/é+ö&x=1%";
    for text in [
        "p%20w%2F%C3%A9%2B%C3%B6%26x%3D1%25",
        "p%20w%2f%c3%a9%2b%c3%b6%26x%3d1%25",
        "p+w%2F%C3%A9%2B%C3%B6%26x%3D1%25",
        "p%20w/%C3%A9+%C3%B6&x=1%25",
        "%70%20%77/é+ö&x=1%",
    ] {
        assert_eq!(masked(secret, &format!("http://h/?k={text}#f")), "http://h/?k=***#f", "{text}");
    }
}

#[test]
fn json_escaped_forms_are_masked() {
    let secret = "a\"b\\c\nd/é😀-tail";
    let once = serde_json::to_string(secret).unwrap();
    let twice = serde_json::to_string(&format!("{{\"k\":{once}}}")).unwrap();
    for text in [once.clone(), twice, r#""a\u0022b\\c\u000ad\/\u00e9\ud83d\ude00-tail""#.to_owned()] {
        let shown = masked(secret, &text);
        assert!(
            shown.contains("***") && !shown.contains("tail") && !shown.contains("a\\"),
            "{text} gave {shown}"
        );
    }
    assert_eq!(masked(secret, &once), "\"***\"");
}

#[test]
fn base64_forms_are_masked_alone_and_behind_a_user() {
    for secret in ["s3cr3t-t0ken", "s3cr3t-t0ken1", "s3cr3t-t0ken12", "ÿÿÿ>>>???ÿÿ"] {
        for user in ["", "u:", "us:", "use:", "user:"] {
            for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD] {
                let encoded = engine.encode([user, secret].concat());
                let shown = masked(secret, &format!("Basic {encoded} end"));
                assert!(shown.ends_with("*** end"), "{user}{secret}: {shown}");
                if user.is_empty() {
                    assert_eq!(shown, "Basic *** end");
                }
            }
        }
    }
}

#[test]
fn each_long_line_of_a_key_is_masked() {
    let key = "-----BEGIN-----\r\nAAAABBBBCCCC\r\nshort\r\nDDDDEEEEFFFF\r\n";
    assert_eq!(masked(key, "x AAAABBBBCCCC y DDDDEEEEFFFF short"), "x *** y *** short");
}

#[test]
fn json_trees_keep_numbers() {
    let mask = Mask::new(["1234567890", "secret-key"]);
    let mut tree = json!({"key": ["secret-key", 1234567890, {"a": "x 1234567890"}], "n": null, "t": true});
    mask.json(&mut tree);
    assert_eq!(tree, json!({"key": ["***", 1234567890, {"a": "x ***"}], "n": null, "t": true}));
}

#[test]
fn keys_are_masked_and_none_is_lost() {
    let mask = Mask::new(["1234567890", "secret-key"]);
    let mut tree = json!({"b": 1, "secret-key": {"x 1234567890": 2}, "1234567890": 3, "a": 4});
    mask.json(&mut tree);
    assert_eq!(tree.to_string(), r#"{"b":1,"***":{"x ***":2},"****":3,"a":4}"#);
}

#[test]
fn nothing_secret_borrows() {
    assert!(matches!(Mask::new(["tok-12345678"]).text("nothing % here \\ + x"), Cow::Borrowed(_)));
    assert!(matches!(Mask::default().text("anything"), Cow::Borrowed(_)));
}

fn percent_all(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

proptest! {
    #[test]
    fn no_form_of_a_secret_is_left(secret in "[!-~é€😀 \n]{12,40}", before in "[ -~]{0,9}", after in "[ -~]{0,9}") {
        prop_assume!(!secret.contains("***") && secret.trim().len() >= Mask::SHORTEST);
        let mask = Mask::new([secret.as_str()]);
        let json = serde_json::to_string(&secret).unwrap();
        let json = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap().to_owned();
        let forms = [
            secret.clone(),
            percent_all(&secret),
            json,
            STANDARD.encode(&secret),
            URL_SAFE_NO_PAD.encode(&secret),
        ];
        for form in forms {
            let shown = mask.text(&format!("{before} {form} {after}")).into_owned();
            prop_assert!(!shown.contains(&form), "{form:?} left in {shown:?}");
        }
    }

    #[test]
    fn any_text_can_be_masked(secrets in prop::collection::vec("\\PC{0,12}", 0..5), text in "[\\\\%+udcUDC0-9a-fé😀\"]{0,60}") {
        let mask = Mask::new(secrets.iter().map(String::as_str));
        let _ = mask.text(&text);
    }
}
