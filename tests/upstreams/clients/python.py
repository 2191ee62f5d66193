"""The Python SDK as a client of kontext: what it sees, as one JSON object.

`python.py TARGET ERA`: TARGET is the address of a server, or `stdio` for `kontext run` of the program KONTEXT names.
"""

import asyncio
import json
import os
import sys

from mcp import Client, MCPError, StdioServerParameters


def text(result):
    return "".join(block.text for block in result.content if block.type == "text")


async def main(target, era):
    server = target
    if target == "stdio":
        server = StdioServerParameters(command=os.environ["KONTEXT"], args=["run"], env=dict(os.environ))
    steps = []

    async def progress(done, total, message):
        steps.append([done, total])

    async with Client(server, mode=era, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        simple = await client.call_tool("test_simple_text", {})
        many = [await client.call_tool("test_custom_headers", {"region": str(number)}) for number in range(5)]
        together = await asyncio.gather(
            *(client.call_tool("test_custom_headers", {"region": str(number)}) for number in range(20))
        )
        picture = await client.call_tool("test_image_content", {})
        await client.call_tool("test_tool_with_progress", {}, progress_callback=progress)
        failing = await client.call_tool("test_error_handling", {})
        wrong = await client.call_tool("test_custom_headers", {"regoin": "eu"})
        try:
            await client.call_tool("no_such_tool", {})
            unknown = None
        except MCPError as error:
            unknown = [error.error.code, error.error.message]
        seen = {
            "protocol": client.session.protocol_version,
            "tools": [tool.name for tool in tools],
            "text": text(simple),
            "calls": [text(result) for result in many],
            "together": [text(result) for result in together],
            "picture": picture.content[0].mime_type,
            "progress": [done for done, _ in steps],
            "failing": [failing.is_error, text(failing)],
            "wrong": [wrong.is_error, text(wrong)],
            "unknown": unknown,
        }
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:3]))
