"""What does each command print with `--json`? The documents show these shapes, and tests compare results with them.

A shape is a dictionary of the fields, a list with the shape of each item, or a text that says what a value means. A
field `*` stands for any names. A field whose name ends in `?` may be left out.
"""

ANY = "*"
OPTIONAL = "?"

OBLIGATION = {
    "id": "its name: step/promise",
    "level": "the level of the proof method",
    "property": "the id of the promise",
    "operation": "the step, or the function of the image",
    "result": "`proved`, `refuted` or `unknown`",
    "seconds": "processor time of the solver",
    "sentence": "the promise in words",
    "cached": "was it proved by an earlier run?",
    "solver": "its name and version",
    "rounds": "how often the solver was asked",
    "assumptions": "the promises that were assumed",
    "reason": "why it is not proved, or what it was decided by",
    "counterexample": "a state and a call that break the promise, or null",
    "figures": "of machine code: its paths and bounds",
}
AGENT = {
    "name": "its name",
    "program": "the SHA-256 of its program",
    "state": "`RUNNING`, `SUSPENDED` or `ENDED`",
    "ring": "in which it acts now",
    "rules": {"*": "what it may use, by the name of the rule"},
    "copied": [{"agent": "that it is a copy of", "turn": "the last one that counts"}],
}
ENTRY = {
    "turn": "its number, also if it was not committed",
    "moment": "the time that the program saw, in nanoseconds since 1970",
    "event": "the id of what it handled",
    "kind": "`START`, `MESSAGE`, `TIMER` or `RESULT`",
    "about": "who sent it, or what it is the result of",
    "body": "the beginning of what it told, as text",
    "attempts": "how often handling it had failed before",
    "answer": "`DONE`, `LATER`, `DEAD`, or `AGAIN` if it failed and is tried again",
    "reason": "why it failed; empty if it did not",
    "steps": [
        {
            "deed": "`LOGGED`, `SENT`, `SET`, `CANCELLED`, `ASKED`, `ANSWERED`, `DENIED` or `COPIED`",
            "text": "more about it",
        }
    ],
}
ATTEMPT = {
    "who": "the guest",
    "attempt": "what it tried",
    "expected": "what had to come of it",
    "observed": "what came of it",
    "witnessed": "what the log says",
    "good": "is all of it as expected?",
}

SHAPES = {
    "verify": {
        "seconds": "of the whole run",
        "kernel_sha256?": "of the image that was proved; a component has none",
        "sources": "the identity of the sources that were proved",
        "obligations": [OBLIGATION],
    },
    "doctor": {
        "findings": [
            {
                "what": "the requirement",
                "needed_for": "what needs it",
                "found": "what is there",
                "remedy": "what to do; empty if nothing",
                "severity": "the verdict if it is not there",
                "verdict": "`good`, `missing`, `optional` or `advised`",
            }
        ],
        "takes": [
            {
                "target": "of the Makefile",
                "seconds_when_nothing_is_kept": "on two cores",
                "last": "seconds, and bytes of memory and disk, of the last good run here, or null",
            }
        ],
    },
    "gen": {
        "files": "how many are generated",
        "lines": "how many these have",
        "differing": ["a path that was not what the specification says"],
        "written": ["a path that was written"],
        "removed": ["a path that was removed"],
    },
    "test": {
        "steps": "how many were taken",
        "ended": [{"operation": "its name", "status": "how it ended", "steps": "how often"}],
        "mistake": "the shortest steps that lead to a mistake, and the mistake; empty if there is none",
    },
    "qemu": {
        "image_sha256?": "of the kernel",
        "boot_instructions?": "until the first of a guest",
        "hypercall_instructions?": "of one hypercall",
        "records?": "of the witness log",
        "operations?": "how many there are",
        "operations_run?": "how many of them the guests called",
        "messages a second?": "with `--agents`",
        "verdict": [ATTEMPT],
        "counted?": {
            "functions": {
                ANY: {
                    "runs": "how many",
                    "instructions": "of the longest, callees included",
                    "boot": "its own instructions until a guest ran first",
                }
            },
            "operations": {
                ANY: {
                    "runs": "how many",
                    "median": "of the instructions of a hypercall",
                    "instructions": "of the longest",
                    "stack": "bytes of the deepest",
                    "shares": {ANY: "a function's own instructions in all of them"},
                }
            },
        },
    },
    "audit": {
        "good": "was nothing found wrong?",
        "records": "how many are good",
        "seals": "how many checkpoints there are",
        "sealed": "how many of them were sealed with the key",
        "begins": "the number of the first record",
        "vouched": "the last checked seal vouches for the records before this number",
        "sequence": "the number of the next record",
        "unsealed": "how many records no sealed checkpoint vouches for",
        "chain": "the chain value at the end",
        "head": "SHA-256 of the log, as its end says",
        "interface": "of the kernel, as the log says; 0 if it does not",
        "fault": "what is wrong with the first bad record; empty if there is none",
    },
    "replay": {
        "same": "does the log explain the state?",
        "records": "how many the model explains",
        "fault": "the first record or field that it does not; empty if there is none",
        "not_compared": [{"what": "a part of the state", "why": "the reason"}],
    },
    "watch": {
        "log": {
            "good": "was nothing found wrong so far?",
            "fault": "what is wrong, where; empty if nothing is",
            "ended": "has the log its end mark?",
            "links_checked": "was the link of each record checked?",
            "records": "how many are good",
            "begins": "the number of the first record",
            "waiting": "bytes of the next record, which is not whole yet",
            "sealed": "how many checkpoints were sealed with the key",
            "vouched": "the last checked seal vouches for the records before this number",
            "time": "ns; of the last record",
            "epoch": "the last that the log tells of",
        },
        "partitions": [
            {
                "partition": "its number",
                "state": "of its life, as its last record tells; like all that the log does not tell, null if unknown",
                "ring": "that follows from its score",
                "creator": "its number, or the one that it fell to",
                "records": "how many it left",
                "refused": {ANY: "calls that ended with this status"},
                "unrecorded": "calls and faults that found no room, as far as its records tell",
                "faults": "how often it was stopped for one",
                "failure": "how bad the worst was",
                "last": "ns; when it left its last record",
            }
        ],
        "agents": [
            {
                "agent": "its row",
                "state": "of its life",
                "partition": "that it lives in",
                "badge": "that it has for ever",
                "parent": "badge of the agent that made it; 0 if none did",
                "measured": "bytes of its module",
                "module": "the first eight bytes of the SHA-256 of its module, in hexadecimal",
                "meters": {
                    ANY: {
                        "total": "calls it made, messages it sent, agents and pages it made while it spoke",
                        "most": "in one epoch; one that leaves no record counts with the next",
                        "latest": "in the latest epoch in which there was any",
                        "epoch": "the last that had ended then",
                    }
                },
                "last": "ns; when it last began, changed or spoke",
            }
        ],
        "edges": [
            {
                "edge": "its number; null for all that the log does not name",
                "exists": "does it still?",
                "maker": "the partition that made it",
                "source": "who sent last",
                "target": "who received last",
                "sent": "messages since it was made",
                "received": "of these",
                "carried": "units of traffic: one for each message, and one for each whole 64 bytes of it",
                "weight": "what is left of that, when each epoch takes 5 % away",
                "last": "ns; when something was sent or received",
            }
        ],
        "notifications": [
            {
                "notification": "its number; null for all that the log does not name",
                "exists": "does it still?",
                "maker": "the partition that made it",
                "source": "who signalled last",
                "target": "who took bits last",
                "signals": "since it was made",
                "bits": "that are set",
                "last": "ns; when bits were set or taken",
            }
        ],
        "blocks": [
            {
                "unit": "the first of the block; it is told of since it first changed its tier or its holder",
                "tier": "that it is of",
                "holder": "the partition that has it",
                "use": "of 10000, when it got its tier",
                "last": "ns; when it got its tier or its holder",
            }
        ],
        "tiers": {ANY: {ANY: "calls of this tier of proof that ended with this status"}},
        "refused_last": [
            {
                "record": "its number",
                "time": "ns",
                "partition": "who called",
                "status": "how it ended",
                "call": "with its arguments",
                "why": "what the status means, as far as its name does not say it",
            }
        ],
    },
    "explain": {
        "id": "of the obligation",
        "result": "`proved`, `refuted` or `unknown`; empty if there is no such obligation",
        "sentence": "the promise in words",
        "reason": "why it is not proved",
        "outdated": "was it decided for other sources?",
        "similar": ["an id that looks like one that there is not"],
        "broken": "does the model break the promise, too?",
        "finding": "what shows it",
        "call": {ANY: "a register or an argument, and the status"},
        "before": {ANY: "a field that matters, before the step"},
        "after": [{"field": "one that the step changed", "before": "its value", "after": "its value"}],
        "kept": "the path of the test, with `--save`",
    },
    "report": {
        "page": "its address",
        "counts": {ANY: "obligations with this result"},
        "levels": "results by level",
        "trend": "with `--compare`: what has changed; else null",
    },
    "differential": {
        "steps": "how many were taken",
        "traces": "in how many traces",
        "altered": "states that no trace leads to",
        "differences": ["where the kernel and the model differ"],
        "operations": {"succeeded": "how many succeeded at least once", "all": "how many guests can call"},
        "statuses": {"returned": "how many were returned at least once", "all": "how many there are"},
        "seconds": "of the whole run",
        "steps_a_second": "on all processors",
    },
    "mutants": {
        "sources": "the identity of the sources that were changed",
        "mutants": [
            {
                "id": "its name",
                "kind": "what was changed: `ir` is the model",
                "function": "the one that was changed",
                "operation": "the step in which it is looked for",
                "change": "the old text and the new",
                "what": "the kind of change",
                "killed_by": "what noticed it, `equivalent: ...`, or empty",
                "seconds": "until it was decided",
                "reason": "why it may survive",
                "states": "on how many it ran beside the original",
            }
        ],
    },
    "bench": {
        "rounds": "how often each engine took its turn",
        "engines": {ANY: "its version"},
        "left_out": {ANY: "why it did not run"},
        "programs": [
            {
                "program": "its name",
                "question": "what it measures",
                "scale": "its argument",
                "checksum": "its result",
                "seconds": {ANY: "the median of an engine, without its start"},
                "rounds": {ANY: "the seconds of each round"},
                "empty": {ANY: "the same at scale 0"},
            }
        ],
        "ratios": {ANY: {ANY: {"programs": {ANY: "times as long as the peer"}, "geometric_mean": "of these"}}},
        "figures": "other figures, each with its limit",
    },
    "bench --costs": {
        "kinds": [
            {
                "kind": "of module",
                "steps_a_byte": {ANY: "of a pass over the costliest"},
                "when_larger": "times as much for a byte of a larger one",
                "room_a_byte": "bytes of memory",
                "outcome": "`none`, or why such a module is refused",
            }
        ],
        "curves": [
            {
                "entry": "where the input enters",
                "unit": "of the cost",
                "input": "the costliest that was found",
                "points": [{"bytes": "of the input", "cost": "in the unit"}],
                "cost_a_byte": "of the largest",
                "power_of_the_size": "with which the cost grows: 1 is in proportion",
            }
        ],
    },
    "bench --hypercalls": {
        "image_sha256": "of the kernel",
        "hypercalls": [
            {
                "operation": "its name",
                "calls": "of the guests that reached its function, or else those that succeeded in traces",
                "median": "of their instructions; null without calls",
                "worst": "of their instructions; null without calls",
                "proved": "the bound on instructions; null if it was not proved of this image",
                "exceeded": "did a call take more?",
                "measured": "where: `QEMU`, `QEMU, disk`, `emulated` or `not called`",
            }
        ],
        "shortest": "the operation with the least median",
        "shortest_functions": {ANY: "its own instructions in a call of the shortest, on average"},
        "boot_instructions": "until the first of a guest",
        "boot_functions": {ANY: "its own instructions until the first of a guest"},
        "nanoseconds": {ANY: "of processor time on this machine, for each"},
    },
    "inspect": {
        "bytes": "of the module",
        "sha256": "of the module",
        "imports": [{"module": "where from", "name": "which", "is": "its kind and type"}],
        "exports": [{"name": "under which", "is": "its kind and type"}],
        "has": ["a memory, a table or a global"],
        "functions": [
            {
                "index": "its number",
                "name": "its name, or empty",
                "slots": "of its frame",
                "parameters": "how many slots of these are",
                "locals": "how many slots of these are",
                "code": [{"at": "the word", "safe_point": "can it be suspended here?", "text": "the bytecode"}],
            }
        ],
    },
    "ps": {"agents": [AGENT]},
    "suspend": AGENT,
    "resume": AGENT,
    "kill": AGENT,
    "elevate": AGENT,
    "demote": AGENT,
    "trust": AGENT,
    "logs": {"entries": [ENTRY]},
    "fork": AGENT,
    "replay AGENT": {
        "same": "did each turn do the same again?",
        "turns": [
            {
                "turn": "its number",
                "state": "was its state the same?",
                "effects": "did it answer, send and ask for the same?",
                "problem": "why it could not be done again, or with what it could not be compared",
            }
        ],
    },
    "dead": {
        "events": [
            {
                "event": "its id",
                "kind": "`START`, `MESSAGE`, `TIMER` or `RESULT`",
                "attempts": "how often it failed",
                "reason": "why it did the last time",
                "body": "what it told, as text",
            }
        ]
    },
    "publish": {"urn": "its name", "program": "its SHA-256"},
}
"""The shape of the result of each command, by what is typed."""

WITHOUT = {
    "new": "writes a folder",
    "run": "prints what the program prints",
    "serve": "answers over HTTP",
    "registry": "answers over HTTP",
    "mcp": "speaks the Model Context Protocol",
}
"""The commands that print no result, and what they do instead."""


def misfit(shape, value, at=""):
    """Return where a value is not of a shape, or an empty text."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return at or "the result"
        return next((found for n, item in enumerate(value) if (found := misfit(shape[0], item, f"{at}[{n}]"))), "")
    if not isinstance(shape, dict):
        return ""
    if not isinstance(value, dict):
        return at or "the result"
    if ANY in shape:
        return next((found for name in value if (found := misfit(shape[ANY], value[name], f"{at}.{name}"))), "")
    known = {name.removesuffix(OPTIONAL): name for name in shape}
    needed = {name for name, key in known.items() if name == key}
    if needed - value.keys() or value.keys() - known.keys():
        return f"{at or 'the result'}: {sorted(needed - value.keys() or value.keys() - known.keys())}"
    return next((found for name in value if (found := misfit(shape[known[name]], value[name], f"{at}.{name}"))), "")


def lines(shape, at=""):
    """Yield `(path, meaning)` of each value of a shape."""
    if isinstance(shape, list):
        yield from lines(shape[0], f"{at}[]")
    elif isinstance(shape, dict):
        for name, part in shape.items():
            below = "NAME" if name == ANY else name.removesuffix(OPTIONAL)
            told = lines(part, f"{at}.{below}" if at else below)
            yield from (
                ((path, f"{meaning} (not always)") for path, meaning in told) if name.endswith(OPTIONAL) else told
            )
    else:
        yield at, shape
