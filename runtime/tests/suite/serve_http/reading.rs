//! Bodies that are no message, and one that is of no use.

use serde_json::{Value, json};

use super::asking::{VERSION, modern, post, raw, request};
use super::{initialize, up};

#[tokio::test]
async fn what_cannot_be_read_is_answered_as_a_message() {
    let up = up().await;
    let surrogate = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\ud800"}}"#;
    for (body, id, code) in [
        ("{", Value::Null, -32700),
        ("", Value::Null, 0),
        ("[]", Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#, json!(7), -32600),
        (surrogate, json!(7), -32700),
        (r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}"#, json!(7), -32602),
    ] {
        let answer = raw(&up, &request("", body)).await;
        assert_eq!(answer.status, 400, "{body}: {answer:?}");
        if code != 0 {
            let message = answer.message();
            assert_eq!((&message["id"], &message["error"]["code"]), (&id, &json!(code)), "{body}: {message}");
        }
    }
}

#[tokio::test]
async fn initialize_of_the_newer_era_is_no_method() {
    let up = up().await;
    for version in ["2026-07-28", "2025-11-25"] {
        let mut hello = initialize();
        hello["params"]["protocolVersion"] = json!(version);
        hello["params"]["_meta"] = modern("x", json!({}))["params"]["_meta"].clone();
        for headers in [String::new(), format!("{VERSION}Mcp-Method: initialize\r\n")] {
            let answer = post(&up, &headers, &hello).await;
            let code = &answer.message()["error"]["code"];
            assert_eq!((answer.status, code), (404, &json!(-32601)), "{version} {headers}: {answer:?}");
            assert_eq!(answer.header("mcp-session-id"), None);
        }
    }
}
