//! A repository in which plans run, and all that can be seen of a run as one value.

use std::path::{Path, PathBuf};

use kontext_compiler::Options;
use kontext_compiler::world::MapWorld;
use kontext_host::{Env, Places, Repository};
use kontext_plan::Plan;
use kontext_runtime::{Given, Question, RunError, Runtime};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::server::Server;

/// Stands for the server's address in configurations, patches and what was seen.
const SERVER: &str = "SERVER";
/// Stands for the repository's root.
const ROOT: &str = "ROOT";

/// Notes of the repository, by their path in it.
const NOTES: [(&str, &str); 2] = [
    (
        ".ai/agent-notes.md",
        "<!-- section:active-scope -->\ncurrent: cur\n<!-- /section:active-scope -->\n<!-- public-cut -->\n\
         <!-- section:scope-app -->\nAbout it.\n<!-- /section:scope-app -->\n\
         <!-- section:scope-map-v1 -->\n/aa => bb\n<!-- /section:scope-map-v1 -->\n",
    ),
    (
        ".ai/knowledge/work/local/workspace-scope-map-v1.md",
        "/srv/app => app\n/srv/app/api => api\nc:\\work => drive\n//host/share => unc\n~/notes => home\n\
         ~/../shared => climbing\n/srv/app/ => app\n",
    ),
];

/// A machine of its own.
pub struct Host {
    directory: TempDir,
    server: Server,
    env: Env,
}

impl Host {
    /// A home with a repository that has a remote, a README and a directory `docs`.
    pub fn new() -> Host {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().to_str().unwrap().to_owned();
        let server = Server::start();
        let env = Env::from_pairs([
            ("PATH", "/usr/bin:/bin".to_owned()),
            ("HOME", home),
            ("KX_TOKEN", "a-token-of-a-test".to_owned()),
            ("WRONG_URL", "ftp://a.example".to_owned()),
            ("LINES_URL", "a\nb".to_owned()),
            ("SAMPLE_URL", format!("http://{}/sample", server.address)),
        ]);
        let host = Host { directory, server, env };
        host.write("repo/.git/HEAD", "ref: refs/heads/main\n");
        host.write(
            "repo/.git/config",
            "[remote \"origin\"]\n\turl = https://git.example/team/planner-notes.git\n",
        );
        host.write("repo/.git/objects/.keep", "");
        host.write("repo/.git/refs/heads/.keep", "");
        host.write("repo/README.md", "A repository.\n");
        host.write("repo/docs/.keep", "");
        for (path, text) in NOTES {
            host.write(&format!("repo/{path}"), text);
        }
        host.write("own/agent-notes.md", "Mine.\n");
        host.write("own/knowledge/x.md", "mine");
        host
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The plan of a configuration, which becomes the clone's layer here.
    pub fn plan(&self, configuration: &str) -> Result<Value, String> {
        let text = self.put_in(configuration);
        self.write("repo/.git/kontext/config.toml", &text);
        let slug = "git.example-team-planner-notes".to_owned();
        let world = MapWorld { repo_slug: slug, ..MapWorld::default() }.with("clone:config.toml", text);
        let world =
            NOTES.iter().fold(world, |world, (path, text)| world.with(&format!("repo:{path}"), *text));
        let compilation = kontext_compiler::compile(&world, &Options::default());
        let found: Vec<String> =
            compilation.diagnostics.iter().map(|d| format!("{}: {}", d.lint.id, d.message)).collect();
        compilation.plan.map(|plan| serde_json::to_value(plan).unwrap()).ok_or_else(|| found.join("\n"))
    }

    /// A configuration or a patch with this host's own address.
    pub fn put_in(&self, text: &str) -> String {
        text.replace(SERVER, &self.server.address)
    }

    /// Runs a plan and says what was to be seen: how it was loaded, the adapters' status, the requests, the answer,
    /// the error. `digest` stands in the file in place of the right one.
    pub fn run(&self, plan: &Value, call: &Value, digest: Option<&Value>) -> Result<Value, String> {
        let mut plan: Plan =
            serde_json::from_value(plan.clone()).map_err(|error| format!("no plan: {error}"))?;
        let mut text = kontext_plan::render(&mut plan).map_err(|error| error.to_string())?;
        if let Some(digest) = digest.and_then(Value::as_str) {
            text = text.replace(&plan.digest, digest);
        }
        self.write("repo/.git/kontext/plan.json", &text);
        let repository = Repository::discover(&self.directory.path().join("repo")).unwrap();
        let root = repository.root().to_owned();
        let places = Places::new(&self.env, &repository, None);
        let seen = match kontext_runtime::load(&self.env, &places, None, false) {
            Err(error) => json!({ "load": failure(&error) }),
            Ok(loaded) => {
                let runtime = Runtime::new(loaded.plan, self.env.clone(), repository, loaded.trust);
                self.watch(&runtime, call)
            }
        };
        Ok(self.without_places(&seen, &root))
    }

    fn watch(&self, runtime: &Runtime, call: &Value) -> Value {
        let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let result = reactor.block_on(self::call(runtime, call));
        let (answer, error) = match result {
            Ok(answer) => (answer, Value::Null),
            Err(error) => (Value::Null, failure(&error)),
        };
        let status = serde_json::to_value(runtime.status()).unwrap();
        json!({ "status": status, "answer": answer, "error": error, "requests": self.server.take() })
    }

    /// The same without what differs from host to host.
    fn without_places(&self, seen: &Value, root: &Path) -> Value {
        let text = seen.to_string();
        let text = text.replace(&self.server.address, SERVER).replace(root.to_str().unwrap(), ROOT);
        serde_json::from_str(&text).unwrap()
    }
}

fn failure(error: &RunError) -> Value {
    let at = error.at.as_ref().map(kontext_plan::Origin::display);
    json!({ "id": error.id, "message": error.message, "at": at, "exit": error.exit_status() })
}

/// Does what a call says: `{"op": "a.search", "inputs": {…}}` (or `"words": {…}` as on the command line),
/// `{"search": "words"}`, `{"read": "uri"}`, `{"tool": "name", "inputs": {…}}`, `{"tools": true}`, `{"catalogue": true}`.
async fn call(runtime: &Runtime, call: &Value) -> Result<Value, RunError> {
    let word = |name: &str| call[name].as_str();
    if let Some((adapter, op)) = word("op").and_then(|op| op.split_once('.')) {
        return json(runtime.op(adapter, op, &given(call)).await);
    }
    if let Some(tool) = word("tool") {
        let args = call["inputs"].as_object().cloned().unwrap_or_default();
        return json(runtime.tool(tool, args).await);
    }
    if call["tools"] == true {
        let tools = runtime.tools().into_iter();
        return Ok(tools.map(|tool| json!({ "name": tool.name, "description": tool.description })).collect());
    }
    if call["catalogue"] == true {
        let tool = |tool: &kontext_runtime::ToolInfo| {
            (
                tool.name.clone(),
                json!({ "title": tool.title, "description": tool.description, "schema": tool.schema,
                    "output_schema": tool.output_schema, "annotations": tool.annotations }),
            )
        };
        return Ok(Value::Object(runtime.catalogue().tools().map(tool).collect()));
    }
    if let Some(uri) = word("read") {
        return json(runtime.read(uri, None).await);
    }
    let question = Question { text: word("search").map(str::to_owned), limit: 10, sources: Vec::new() };
    json(runtime.hits("search", &question).await)
}

fn given(call: &Value) -> Given {
    match (&call["words"], &call["inputs"]) {
        (Value::Object(words), _) => {
            let pair = |(name, value): (&String, &Value)| (name.clone(), value.as_str().unwrap().to_owned());
            Given::Text(words.iter().map(pair).collect())
        }
        (_, Value::Object(inputs)) => Given::Json(inputs.clone()),
        _ => Given::Json(Map::new()),
    }
}

fn json<T: Serialize>(result: Result<T, RunError>) -> Result<Value, RunError> {
    result.map(|answer| serde_json::to_value(answer).unwrap())
}
