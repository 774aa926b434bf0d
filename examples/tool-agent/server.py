"""Keeps notes: an MCP server with the official package. It could be written in any language."""

from pathlib import Path

from mcp.server.mcpserver import MCPServer

NOTES = Path("notes.txt")
server = MCPServer("notes")


@server.tool()
def add(note: str) -> int:
    """Keep a note, and return how many there are."""
    with NOTES.open("a") as file:
        file.write(note.replace("\n", " ") + "\n")
    return len(NOTES.read_text().splitlines())


if __name__ == "__main__":
    server.run()
