"""Which projects can be begun from an example, that are no components of the kernel? Agents written in JavaScript."""

from pathlib import Path

from corollary.codegen.folders import write_whole
from corollary.commands.component import TEMPLATE, Refused

EXAMPLES = TEMPLATE.parent
PROJECTS = {
    "js-agent": ("js-agent",),
    "discord-bot": ("js-agent", "discord-bot"),
    "tool-agent": ("js-agent", "tool-agent"),
}
"""The folders with the files of each project; a later folder's come in the place of an earlier one's."""
UNWANTED = {"node_modules", "agent.wasm"}


def begin(name: str, folder: Path) -> Path:
    """Write a folder with a project of a name, and return its path; raises `Refused` if it is there already."""
    if folder.exists():
        raise Refused(f"{folder} is there already: take another folder, or remove it")
    for example in PROJECTS[name]:
        root = EXAMPLES / example
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            if path.is_file() and not UNWANTED & {*inside.parts}:
                write_whole(folder / inside, path.read_text())
    return folder
