//! `urlencode`: text that is safe anywhere in a URL.

/// Percent-encodes every byte but `A-Z a-z 0-9 - _ . ~`.
pub(in crate::value) fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push(digit(byte >> 4));
            encoded.push(digit(byte & 15));
        }
    }
    encoded
}

fn digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0').to_ascii_uppercase()
}
