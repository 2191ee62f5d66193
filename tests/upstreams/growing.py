"""A server of PyPI's SDK, whose tool `grow` gives it another tool and tells those who subscribed."""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("growing")


def late() -> str:
    return "late"


@server.tool()
async def grow(ctx: Context) -> str:
    server.add_tool(late)
    await ctx.notify_tools_changed()
    return "grown"


server.run()
