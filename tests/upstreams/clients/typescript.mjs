// The TypeScript SDKs as clients of kontext: what they see, as one JSON object.
//
// `typescript.mjs TARGET ERA`: TARGET is the address of a server, or `stdio` for `kontext run` of the program KONTEXT
// names; ERA is `sdk` for the package of the older era, else what the newer package is to agree on.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.KONTEXT_UPSTREAMS, "package.json"));
const [target, era] = process.argv.slice(2);

function parts() {
  if (era !== "sdk") {
    const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
    const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");
    return { Client, StreamableHTTPClientTransport, StdioClientTransport };
  }
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
  return { Client, StreamableHTTPClientTransport, StdioClientTransport };
}

const { Client, StreamableHTTPClientTransport, StdioClientTransport } = parts();
const transport =
  target === "stdio"
    ? new StdioClientTransport({ command: process.env.KONTEXT, args: ["run"], env: process.env, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(target));
const options = era === "sdk" ? {} : { versionNegotiation: { mode: era } };
const client = new Client({ name: "a client", version: "1.0.0" }, options);
await client.connect(transport);

const call = (name, given) => client.callTool({ name, arguments: given });
const text = (result) => result.content.filter((block) => block.type === "text").map((block) => block.text).join("");
const region = async (number) => text(await call("test_custom_headers", { region: String(number) }));

const { tools } = await client.listTools();
const steps = [];
const onprogress = ({ progress }) => steps.push(progress);
const slow = { name: "test_tool_with_progress", arguments: {} };
await (era === "sdk" ? client.callTool(slow, undefined, { onprogress }) : client.callTool(slow, { onprogress }));
const calls = [];
for (let number = 0; number < 5; number += 1) calls.push(await region(number));
const failing = await call("test_error_handling", {});
const wrong = await call("test_custom_headers", { regoin: "eu" });
const unknown = await call("no_such_tool", {}).catch((error) => [error.code, error.message]);
console.log(
  JSON.stringify({
    protocol: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? transport._protocolVersion ?? null,
    tools: tools.map((tool) => tool.name),
    text: text(await call("test_simple_text", {})),
    calls,
    together: await Promise.all(Array.from({ length: 20 }, (_, number) => region(number))),
    picture: (await call("test_image_content", {})).content[0].mimeType,
    progress: steps,
    failing: [failing.isError, text(failing)],
    wrong: [wrong.isError, text(wrong)],
    unknown,
  }),
);
await client.close();
