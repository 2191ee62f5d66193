//! How a server's era is found out.

use serde_json::json;

use crate::plans::{but, calling, once};

pub async fn each_is_agreed_on() {
    for mode in [
        &["modern"][..],
        &["legacy"],
        &["legacy", "silent"],
        &["legacy", "dies-on-probe"],
        &["modern", "noise"],
    ] {
        let said = once(mode, calling("echo", json!({}))).await;
        assert_eq!(said.as_deref(), Ok("{}"), "{mode:?}");
    }
    let _ = but;
}
