//! A server of raw lines: as good or as bad as its mode says.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Ids that were cancelled.
type Cancelled = Arc<Mutex<BTreeSet<String>>>;

/// Serves standard input until it ends. Words of the mode may be combined.
pub fn serve(mode: &[String]) {
    let server = Fake {
        mode: mode.to_vec(),
        cancelled: Cancelled::default(),
        extra: Arc::default(),
        listener: Arc::default(),
    };
    if server.is("noise") {
        say_raw("Server v1.2 {ready}\n[db] connected\n\n{\"level\":\"info\"}\n");
    }
    if let Some(status) = server.word("exit=") {
        eprintln!("no token in KX_TOKEN");
        std::process::exit(status.parse().unwrap());
    }
    if let Some(time) = server.word("boot=") {
        std::thread::sleep(Duration::from_millis(time.parse().unwrap()));
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let message: Value = serde_json::from_str(&line).unwrap();
        server.take(&message);
    }
    if server.is("ignores-eof") {
        std::thread::sleep(Duration::from_secs(600));
    }
}

pub fn say_raw(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn say(message: &Value) {
    say_raw(&format!("{message}\n"));
}

fn result(id: &Value, mut result: Value) {
    result["resultType"] = json!("complete");
    say(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

fn error(id: &Value, code: i64, text: &str) {
    say(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } }));
}

/// A notification to a subscriber.
fn tell(listener: &Value, method: &str, mut params: Value) {
    params["_meta"] = json!({ "io.modelcontextprotocol/subscriptionId": listener });
    say(&json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params }));
}

struct Fake {
    mode: Vec<String>,
    cancelled: Cancelled,
    /// Tools that came later.
    extra: Arc<Mutex<Vec<String>>>,
    /// The subscription that is to hear of them.
    listener: Arc<Mutex<Option<Value>>>,
}

impl Fake {
    fn is(&self, word: &str) -> bool {
        self.mode.iter().any(|known| known == word)
    }

    fn word(&self, start: &str) -> Option<&str> {
        self.mode.iter().find_map(|word| word.strip_prefix(start))
    }

    fn take(&self, message: &Value) {
        let (id, params) = (&message["id"], &message["params"]);
        match message["method"].as_str() {
            _ if self.is("hangs") => {}
            Some("server/discover") => self.discover(id),
            Some("initialize") => self.initialize(id, params),
            Some("tools/list") if self.is("hangs-list") => {}
            Some("tools/list") => self.list(id, params),
            Some("tools/call") => self.call(id, params),
            Some("subscriptions/listen") if self.is("tells") => {
                assert_eq!(params["notifications"], json!({ "toolsListChanged": true }));
                let accepted =
                    if self.is("accepts-nothing") { json!({}) } else { params["notifications"].clone() };
                let listener = self.listener.lock().unwrap().insert(id.clone()).clone();
                tell(&listener, "subscriptions/acknowledged", json!({ "notifications": accepted }));
            }
            Some("subscriptions/listen") => error(id, -32601, "Method not found"),
            Some("notifications/cancelled") => {
                self.cancelled.lock().unwrap().insert(params["requestId"].to_string());
            }
            None if message["error"].is_object() => {
                if self.is("sulks") {
                    std::process::exit(4);
                }
                let said = message["error"]["message"].as_str().unwrap();
                let id = json!(id.as_str().unwrap().parse::<i64>().unwrap());
                result(&id, json!({ "isError": !self.is("copes"), "content": [text(said)] }));
            }
            None if message["result"]["roots"].is_array() => {
                let uri = message["result"]["roots"][0]["uri"].clone();
                result(
                    &json!(id.as_str().unwrap().parse::<i64>().unwrap()),
                    json!({ "content": [text(uri.as_str().unwrap())] }),
                );
            }
            _ => {}
        }
    }

    fn discover(&self, id: &Value) {
        if self.is("dies-on-probe") {
            std::process::exit(1);
        }
        if self.is("silent") || self.is("hangs-discover") {
            return;
        }
        if !self.is("modern") {
            return error(id, -32601, "Method not found");
        }
        result(
            id,
            json!({ "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": { "listChanged": self.is("tells") || self.is("promises") } },
            "ttlMs": 0, "cacheScope": "private",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "fake", "version": "9.1" } } }),
        );
    }

    fn initialize(&self, id: &Value, params: &Value) {
        if self.is("modern") {
            return error(id, -32601, "Method not found");
        }
        if self.is("hangs-initialize") {
            return;
        }
        if self.is("refuses") {
            return error(id, -32000, "the licence has expired");
        }
        assert_eq!(params["protocolVersion"], "2025-11-25");
        result(
            id,
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "fake", "version": "9.1" } }),
        );
    }

    fn list(&self, id: &Value, params: &Value) {
        let second = params["cursor"] == "2";
        let mut tools: Vec<Value> = if second { second_page() } else { first_page() };
        if second {
            let extra = self.extra.lock().unwrap();
            tools.extend(extra.iter().map(|name| json!({ "name": name, "inputSchema": {} })));
        }
        for tool in tools.iter_mut().filter(|tool| tool["name"] == "find") {
            if self.is("reworded") {
                tool["description"] = json!("Finds things and mails them");
            }
            if self.is("annotated") {
                tool["annotations"] = json!({ "title": "F", "readOnlyHint": "yes", "idempotentHint": true, "costHint": 3,
                    "own/x": { "a": [1] } });
            }
            if self.is("retyped") {
                tool["inputSchema"]["properties"]["limit"] = json!({ "type": "string" });
            }
        }
        if self.is("odd-tools") && second {
            tools.extend(odd_tools());
            let page =
                json!({ "tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
            let deep = format!("{}1{}", "{\"properties\":".repeat(160), "}".repeat(160));
            let page = page.to_string().replace("\"CUT\"", r#""cut \ud83d""#).replace("\"DEEP\"", &deep);
            return say_raw(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{page}}}\n"));
        }
        let mut page = json!({ "tools": tools, "ttlMs": 0, "cacheScope": "private" });
        if !second {
            page["nextCursor"] = json!("2");
        }
        result(id, page);
    }

    fn call(&self, id: &Value, params: &Value) {
        let arguments = params["arguments"].clone();
        match params["name"].as_str().unwrap() {
            "echo" | "find" | "bare" | "empty" | "circle" | "choose" => {
                result(
                    id,
                    json!({ "content": [text("both")], "structuredContent": { "text": arguments.to_string() } }),
                );
            }
            "line" => {
                let line = arguments["line"].as_str().unwrap().replace("ID", &id.to_string());
                say_raw(&format!("{line}\n"));
            }
            "raw" => result(id, arguments["result"].clone()),
            "pid" => result(id, json!({ "content": [text(&std::process::id().to_string())] })),
            "die" => {
                eprintln!("out of luck");
                std::process::exit(3);
            }
            "slow" => {
                let id = id.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(1000)));
                    result(&id, json!({ "content": [text("slow")] }));
                });
            }
            "cancelled" => {
                let ids: Vec<String> = self.cancelled.lock().unwrap().iter().cloned().collect();
                result(id, json!({ "content": [text(&format!("cancelled: {}", ids.len()))] }));
            }
            "roots" => say(&json!({ "jsonrpc": "2.0", "id": id.to_string(), "method": "roots/list" })),
            "wrong-id" => result(&json!(987_654), json!({ "content": [text("for nobody")] })),
            "long" => {
                let long = "x".repeat(usize::try_from(arguments["size"].as_u64().unwrap()).unwrap());
                result(id, json!({ "content": [text(&long)] }));
            }
            "endless" => loop {
                say_raw(&"y".repeat(64 * 1024));
            },
            "flood" => {
                let noise = "some noise on standard output\n".repeat(2000);
                for _ in 0..arguments["pieces"].as_u64().unwrap() {
                    say_raw(&noise);
                    eprint!("{noise}");
                }
                result(id, json!({ "content": [text("after the flood")] }));
            }
            "questions" => {
                for number in 0..10_000 {
                    say(&json!({ "jsonrpc": "2.0", "id": format!("q{number}"), "method": "ping" }));
                    say(
                        &json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": "x" } }),
                    );
                }
                result(id, json!({ "content": [text("asked")] }));
            }
            "wants" => say(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32021,
                "message": "Missing required client capability",
                "data": { "requiredCapabilities": { "sampling": {} } } } })),
            "asks" => {
                let question = json!({ "message": "Which branch?", "requestedSchema": { "type": "object",
                    "properties": { "branch": { "type": "string" } } } });
                if self.is("modern") && arguments["again"] == true {
                    let state = params["requestState"].as_str().unwrap_or("1").parse::<u32>().unwrap();
                    if state == 3 {
                        return result(id, json!({ "content": [text("at the third time")] }));
                    }
                    let again =
                        json!({ "resultType": "input_required", "requestState": (state + 1).to_string() });
                    return say(&json!({ "jsonrpc": "2.0", "id": id, "result": again }));
                }
                if self.is("modern") {
                    let requests = json!({ "one": { "method": "elicitation/create", "params": question } });
                    let asks = json!({ "resultType": "input_required", "inputRequests": requests });
                    return say(&json!({ "jsonrpc": "2.0", "id": id, "result": asks }));
                }
                // The answer to the question, an error, is the signal to answer the call.
                let method = arguments["method"].as_str().unwrap_or("elicitation/create");
                say(&json!({ "jsonrpc": "2.0", "id": id.to_string(), "method": method, "params": question }));
            }
            "progress" => {
                let token = &params["_meta"]["progressToken"];
                let words = arguments["words"].as_str().unwrap_or_default();
                for step in 1..=3 {
                    say(&json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {
                        "progressToken": token, "progress": step, "total": 3, "message": format!("{words}step {step}") } }));
                    std::thread::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(0)));
                }
                result(id, json!({ "content": [text("done")] }));
            }
            "deaf" => std::thread::sleep(Duration::from_secs(600)),
            "grow" => {
                self.extra.lock().unwrap().push("late".to_owned());
                match self.listener.lock().unwrap().as_ref() {
                    Some(listener) => tell(listener, "tools/list_changed", json!({})),
                    None if self.is("modern") => {}
                    None => say(&json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })),
                }
                result(id, json!({ "content": [text("grown")] }));
            }
            // A subscription that ends in order; the next is another.
            "unsubscribe" => {
                let listener = self.listener.lock().unwrap().take().unwrap();
                result(&listener, json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": listener } }));
                result(id, json!({ "content": [text("ended")] }));
            }
            "late" if !self.extra.lock().unwrap().is_empty() => {
                result(id, json!({ "content": [text("late")] }));
            }
            "legacy-unknown" => result(id, json!({ "isError": true, "content": [text("Unknown tool")] })),
            name => error(id, -32602, &format!("unknown tool {name}")),
        }
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn first_page() -> Vec<Value> {
    let names =
        ["echo", "raw", "pid", "die", "slow", "cancelled", "roots", "wrong-id", "long", "endless", "line"];
    let mut tools: Vec<Value> =
        names.map(|name| json!({ "name": name, "inputSchema": { "type": "object" } })).to_vec();
    tools.push(json!({ "name": "find", "description": "Finds things", "annotations": { "readOnlyHint": true },
        "inputSchema": {
            "type": "object", "required": ["query"], "$defs": { "L": { "type": "integer", "maximum": 50 } },
            "properties": {
                "query": { "anyOf": [{ "type": "string" }, { "type": "null" }], "description": "What to look for" },
                "limit": { "$ref": "#/$defs/L" }, "tags": { "type": ["array", "null"] },
                "mode": { "type": "string", "enum": ["fast", "deep"] } } } }));
    tools
}

fn odd_tools() -> Vec<Value> {
    let object = json!({ "type": "object" });
    vec![
        json!({ "name": "cut", "description": "CUT", "inputSchema": object }),
        json!({ "name": "too-deep", "inputSchema": "DEEP" }),
        json!({ "name": "of-text", "inputSchema": { "type": "string" } }),
        json!({ "name": "of-numbers", "inputSchema": { "type": "object", "required": [1] } }),
        json!({ "name": "typeless", "inputSchema": { "properties": { "a": true } } }),
        json!({ "name": "task", "inputSchema": object, "execution": { "taskSupport": "required" } }),
    ]
}

fn second_page() -> Vec<Value> {
    vec![
        json!({ "name": "flood" }),
        json!({ "name": "bare" }),
        json!({ "name": "empty", "inputSchema": {} }),
        json!({ "title": "no name" }),
        json!({ "name": "broken", "inputSchema": "none" }),
        json!({ "name": "circle", "inputSchema": { "type": "object", "properties": {
            "query": { "$ref": "#/$defs/A" }, "text": { "$ref": "#/$defs/nowhere" },
            "url": { "$ref": "http://127.0.0.1:1/schema.json" } },
            "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }] } } } }),
        json!({ "name": "choose", "inputSchema": { "type": "object", "required": ["query", "text"], "properties": {
            "query": { "type": "string" }, "text": { "type": "string", "enum": ["open", "closed"] } } } }),
        json!({ "name": "questions", "inputSchema": {} }),
        json!({ "name": "asks", "inputSchema": {} }),
        json!({ "name": "wants", "inputSchema": {} }),
        json!({ "name": "progress", "inputSchema": {} }),
        json!({ "name": "deaf", "inputSchema": {} }),
        json!({ "name": "grow", "inputSchema": {} }),
        json!({ "name": "unsubscribe", "inputSchema": {} }),
    ]
}
