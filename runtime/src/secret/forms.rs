//! The forms of a secret that reading a text another way does not give: its lines, and base64.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Mask;

/// Adds every form of a secret to those looked for.
pub(super) fn collect(secret: &str, forms: &mut BTreeSet<Vec<u8>>) {
    let mut parts: BTreeSet<&str> = BTreeSet::new();
    parts.insert(secret);
    parts.insert(secret.trim());
    for line in secret.lines() {
        parts.insert(line);
        parts.insert(line.trim());
    }
    for part in parts.into_iter().filter(|part| part.len() >= Mask::SHORTEST) {
        forms.insert(part.as_bytes().to_vec());
        forms.extend(base64_forms(part.as_bytes()));
    }
}

/// What of the base64 of any text that holds the secret is fixed by the secret alone: for each of the three places
/// it can have in a group of three bytes, once followed by more and once at the end.
fn base64_forms(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let mut padded = vec![0; before];
        padded.extend_from_slice(secret);
        let whole = STANDARD.encode(&padded);
        let unfixed = [0, 2, 3].get(before).copied().unwrap_or(0);
        let followed = padded.len() * 8 / 6;
        let end = whole.trim_end_matches('=').len();
        for upto in [followed, end, whole.len()] {
            if let Some(form) = whole.get(unfixed..upto).filter(|form| form.len() >= Mask::SHORTEST) {
                forms.push(form.replace('+', "-").replace('/', "_").into_bytes());
                forms.push(form.as_bytes().to_vec());
            }
        }
    }
    forms
}
