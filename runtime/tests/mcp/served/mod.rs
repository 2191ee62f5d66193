//! kontext as a server, in process: a client of raw lines over a pipe of memory, in either era.

pub mod batch;
pub mod catalogue;
pub mod era;
pub mod life;
pub mod passing;
pub mod status;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kontext_plan::Plan;
use kontext_runtime::server::{Server, Source};
use kontext_runtime::{RunError, Runtime};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::Machine;

/// Longer than anything takes on a slow machine.
pub const LONG: Duration = Duration::from_secs(60);

/// What a server is to serve, which a test may change.
pub type Loaded = Arc<Mutex<Result<Plan, RunError>>>;

/// A server with its machine.
pub struct Served {
    #[expect(dead_code, reason = "its directory must stay")]
    machine: Machine,
    pub server: Server,
    pub plan: Loaded,
    pub file: PathBuf,
    pub warnings: Arc<Mutex<Vec<String>>>,
}

impl Served {
    /// A server of this plan.
    pub fn new(plan: Plan) -> Served {
        Served::of(Machine::new(&[]), Ok(plan))
    }

    /// A server of what is there to serve.
    pub fn of(machine: Machine, plan: Result<Plan, RunError>) -> Served {
        let plan = Arc::new(Mutex::new(plan));
        let file = machine.directory.path().join("kontext/plan.json");
        let warnings: Arc<Mutex<Vec<String>>> = Arc::default();
        let source = Source {
            load: Box::new(load(&machine, &plan)),
            plan: Some(file.clone()),
            place: Box::new(|at| at.display()),
            mend: "kontext build".to_owned(),
            warn: Box::new({
                let warnings = Arc::clone(&warnings);
                move |words| warnings.lock().unwrap().push(words.to_owned())
            }),
        };
        let server = Server::new(source);
        server.start();
        Served { machine, server, plan, file, warnings }
    }

    /// Puts something else in the plan's place.
    pub fn put(&self, plan: Result<Plan, RunError>, mark: &str) {
        *self.plan.lock().unwrap() = plan;
        std::fs::create_dir_all(self.file.parent().unwrap()).unwrap();
        std::fs::write(&self.file, mark).unwrap();
    }

    pub async fn legacy(&self) -> Client {
        let mut client = Client::new(&self.server, false);
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" } });
        client.hello = client.result("initialize", hello).await;
        client.tell("notifications/initialized", json!({})).await;
        client
    }

    pub async fn modern(&self) -> Client {
        let mut client = Client::new(&self.server, true);
        client.hello = client.result("server/discover", json!({})).await;
        client
    }
}

fn load(machine: &Machine, plan: &Loaded) -> impl Fn() -> Result<Runtime, RunError> + Send + Sync + use<> {
    let (env, repository, plan) = (machine.env.clone(), machine.repository(), Arc::clone(plan));
    move || {
        let plan = plan.lock().unwrap().clone()?;
        let trust = kontext_runtime::Trust::new(&env, true);
        Ok(Runtime::new(plan, env.clone(), repository.clone(), trust))
    }
}

/// A client of raw lines.
pub struct Client {
    writer: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub modern: bool,
    next: i64,
    /// The answer to the first request.
    pub hello: Value,
    /// Notifications that came.
    pub told: Vec<Value>,
    /// Ends when the server did.
    pub served: JoinHandle<()>,
}

impl Client {
    pub fn new(server: &Server, modern: bool) -> Client {
        let (here, there) = tokio::io::duplex(1 << 20);
        let server = server.clone();
        let served = tokio::spawn(async move {
            server.serve_client(tokio::io::split(there), std::future::pending()).await;
        });
        let (reader, writer) = tokio::io::split(here);
        let lines = BufReader::new(reader).lines();
        Client { writer, lines, modern, next: 0, hello: Value::Null, told: Vec::new(), served }
    }

    pub async fn send(&mut self, message: &Value) {
        self.line(&message.to_string()).await;
    }

    pub async fn line(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        self.writer.flush().await.unwrap();
    }

    pub async fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Sends a request and gives its number.
    pub async fn request(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        if self.modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params })).await;
        self.next
    }

    /// The next message.
    pub async fn next(&mut self) -> Option<Value> {
        let line = timeout(LONG, self.lines.next_line()).await.expect("nothing came").unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// The answer to a request, or its error.
    pub async fn answer(&mut self, id: i64) -> Value {
        while let Some(message) = self.next().await {
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
        panic!("the connection ended");
    }

    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        self.answer(id).await
    }

    pub async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    pub async fn tools(&mut self) -> Vec<Value> {
        match self.result("tools/list", json!({})).await["tools"].take() {
            Value::Array(tools) => tools,
            other => panic!("{other}"),
        }
    }

    pub async fn names(&mut self) -> Vec<String> {
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        self.tools().await.iter().map(name).collect()
    }

    /// Waits for a notification.
    pub async fn hear(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.told.iter().position(|told| told["method"] == method) {
                return self.told.remove(at);
            }
            let message = self.next().await.expect("the connection ended");
            self.told.push(message);
        }
    }

    /// Ends the input.
    pub async fn finish(&mut self) {
        self.writer.shutdown().await.unwrap();
    }

    /// Ends the input and waits for the server's end.
    pub async fn end(mut self) -> Duration {
        let started = std::time::Instant::now();
        self.writer.shutdown().await.unwrap();
        timeout(LONG, self.served).await.expect("it does not end").unwrap();
        started.elapsed()
    }
}

/// The text of a result's first part.
pub fn said(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// The tools of every plan without notes.
pub const NOTES: [&str; 3] = ["read_hot_context", "route_context", "memory_health"];
