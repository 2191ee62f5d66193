// kontext as the client that the conformance suite talks to: a repository whose only adapter is the suite's server.
//
// The suite starts `node client.mjs URL` and says in MCP_CONFORMANCE_SCENARIO what it looks at. Everything is done
// with the program that KONTEXT names: its tools are locked, each is declared again with an op of its own and without
// `args`, the plan is built, and the tools are called as an agent would call them.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const url = process.argv.at(-1);
const home = mkdtempSync(join(tmpdir(), "conformance-"));
const folder = join(home, "repo/.git/kontext");

process.on("exit", () => rmSync(home, { recursive: true, force: true }));

for (const path of ["objects", "refs/heads", "kontext"]) {
  mkdirSync(join(home, "repo/.git", path), { recursive: true });
}
writeFileSync(join(home, "repo/.git/HEAD"), "ref: refs/heads/main\n");

configure([]);
kontext("lock");
kontext("check");

const tools = locked();
// What a schema says of a document elsewhere cannot be declared, and this scenario asks for a list alone.
if (scenario !== "json-schema-ref-no-deref") {
  configure(tools);
  kontext("build");
  for (const [name, given] of calls(tools)) {
    kontext("run", "tool", name, "--json", JSON.stringify(given));
  }
}

// The calls that the scenario wants, else one of each tool.
function calls(tools) {
  if (context.toolCalls) {
    return context.toolCalls.map((call) => [call.name, call.arguments]);
  }
  const focal = tools.find((tool) => tool.name === "json_schema_2020_12_tool");
  return tools.map((tool) => {
    const schema = tool.inputSchema.properties ?? {};
    const given = Object.fromEntries(Object.entries(schema).map(([name, property]) => [name, sample(property)]));
    if (tool.name === "json_schema_echo") given.schema = focal.inputSchema;
    return [tool.name, tool === focal ? {} : given];
  });
}

function sample(property) {
  const samples = { string: "text", number: 2.5, integer: 3, boolean: true, array: [], object: {} };
  return samples[property.type] ?? "text";
}

function locked() {
  const path = join(folder, "kontext.lock");
  if (!existsSync(path)) return [];
  const lock = JSON.parse(readFileSync(path, "utf8"));
  return lock.adapters.suite?.tools ?? [];
}

function configure(tools) {
  const text = ["[adapters.suite]", 'driver = "mcp"', `url = ${toml(url)}`];
  for (const tool of tools) {
    text.push("[[adapters.suite.tools]]", `name = ${toml(tool.name)}`, 'description = "As the server has it"');
    text.push(`params = ${toml(tool.inputSchema)}`, `op = { tool = ${toml(tool.name)} }`);
  }
  writeFileSync(join(folder, "config.toml"), `${text.join("\n")}\n`);
}

function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)} = ${toml(member)}`);
  return `{ ${members.join(", ")} }`;
}

function kontext(...words) {
  const env = { PATH: process.env.PATH, HOME: home, KONTEXT_CONFIG_DIR: join(home, "config"), LC_ALL: "C.UTF-8" };
  const run = spawnSync(process.env.KONTEXT, words, { cwd: join(home, "repo"), env, stdio: ["ignore", "pipe", "pipe"] });
  console.log(`$ kontext ${words.join(" ")}\n${run.stdout}${run.stderr}= ${run.status}`);
  if (run.error) throw run.error;
}
