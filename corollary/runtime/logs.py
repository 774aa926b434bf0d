"""How does a runtime write its log? One record a line for people, or one JSON object a line for programs.

Agents say what they like. A line of the log that an agent wrote cannot look like one of the runtime: further lines of a
record are indented, and what is no printable character is replaced.
"""

import json
import logging
from datetime import UTC, datetime

ABOUT = ("agent", "event", "turn")  # what a record may say besides its message

CHATTY = ("aiohttp.access", "httpx2")  # each of their requests is no news


def begin(as_json: bool) -> None:
    """Write all records of the process from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(Objects() if as_json else Lines("%(asctime)s %(levelname)-7s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # each line of a server that is none; calls tell why they fail


class Lines(logging.Formatter):
    """Writes a record as text."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return "\n    ".join("".join(each if each.isprintable() else "?" for each in line) for line in text.split("\n"))


class Objects(logging.Formatter):
    """Writes a record as a JSON object: `time`, `level`, `message`, and those of `ABOUT` that it says."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "message": record.getMessage(),
        }
        told |= {name: getattr(record, name) for name in ABOUT if hasattr(record, name)}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told)
