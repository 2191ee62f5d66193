//! An upstream of the older era that does nothing but answer: this program again, with other arguments.

use std::io::{BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::Fallible;

/// Tools of all upstreams together.
pub const TOOLS: usize = 100;
/// The upstreams: their names and how many tools each has.
pub const UPSTREAMS: [(&str, usize); 3] = [("alpha", 34), ("beta", 33), ("gamma", 33)];

/// The arguments with which this program is an upstream.
pub fn words(name: &str, tools: usize, boot: Duration) -> [String; 4] {
    ["upstream".to_owned(), name.to_owned(), tools.to_string(), boot.as_millis().to_string()]
}

/// Serves standard input until it ends.
///
/// # Errors
/// When a message is none, or nobody reads the answers.
pub fn serve(words: &[String]) -> Fallible<()> {
    let [name, tools, boot] = words else { return Err("upstream NAME TOOLS MILLISECONDS".into()) };
    std::thread::sleep(Duration::from_millis(boot.parse()?));
    let list = list(name, tools.parse()?);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if let (Some(method), false) = (message["method"].as_str(), message["id"].is_null()) {
            let mut answer = answer(method, &message["params"], &list);
            answer["jsonrpc"] = json!("2.0");
            answer["id"] = message["id"].clone();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
    Ok(())
}

fn answer(method: &str, params: &Value, list: &Value) -> Value {
    match method {
        "initialize" => json!({ "result": {
            "protocolVersion": params["protocolVersion"], "capabilities": { "tools": {} },
            "serverInfo": { "name": "bench", "version": "1" },
        } }),
        "ping" => json!({ "result": {} }),
        "tools/list" => json!({ "result": list }),
        "tools/call" => {
            let said = params["arguments"]["text"].as_str().unwrap_or_default();
            json!({ "result": { "content": [{ "type": "text", "text": said }] } })
        }
        _ => json!({ "error": { "code": -32601, "message": "there is no such method" } }),
    }
}

fn list(name: &str, tools: usize) -> Value {
    let tool = |number: usize| {
        json!({
            "name": format!("{name}_say_{number}"),
            "description": format!("Says what it was told, in the voice number {number} of {name}"),
            "inputSchema": {
                "type": "object",
                "properties": {
                    "text": { "type": "string", "description": "what is said" },
                    "times": { "type": "integer", "minimum": 1, "default": 1, "description": "how often" },
                },
                "required": ["text"],
            },
        })
    };
    json!({ "tools": (0..tools).map(tool).collect::<Vec<_>>() })
}
