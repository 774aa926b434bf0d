"""What is a composite of agents? A graph without cycles that says who hands on to whom, under the hash of its text.

    {"urn": URN, "agents": {NAME: SHA-256 of its program}, "edges": [[FROM, TO]]}

Its text is canonical (RFC 8785), with edges in order, so equal composites have equal hashes.
"""

import json
import re
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import rfc8785

from corollary.runtime.desk import check_name
from corollary.runtime.store import digest_of
from corollary.runtime.urn import Urn, parsed

LARGEST = 1 << 20  # bytes of the text of a composite, at most
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
FIELDS = {"urn", "agents", "edges"}


@dataclass(frozen=True)
class Composite:
    """A composite: its name, its canonical text, and the SHA-256 of that in hexadecimal."""

    urn: Urn
    text: bytes
    digest: str


def composite_of(given: Any) -> Composite:
    """Return the composite that a JSON object is; raises `ValueError`, which says what is wrong with it."""
    if not isinstance(given, dict) or given.keys() != FIELDS:
        raise ValueError(f"a composite is an object of {', '.join(sorted(FIELDS))}")
    if not isinstance(given["urn"], str):
        raise ValueError("`urn` is a text")
    urn, agents = parsed(given["urn"]), agents_of(given["agents"])
    text = rfc8785.dumps({"urn": str(urn), "agents": agents, "edges": edges_of(given["edges"], agents)})
    if len(text) > LARGEST:
        raise ValueError(f"a composite has {LARGEST} bytes at most, not {len(text)}")
    return Composite(urn, text, digest_of(text))


def composite_in(data: bytes) -> Composite:
    """Return the composite of a canonical text; raises `ValueError`."""
    try:
        found = composite_of(json.loads(data))
    except RecursionError:
        raise ValueError("the JSON is too deep") from None
    if found.text != data:
        raise ValueError("the text is not canonical by RFC 8785, with edges in order")
    return found


def agents_of(given):
    """Return the agents of a composite; raises `ValueError`."""
    if not isinstance(given, dict) or not given:
        raise ValueError("`agents` is an object of one agent or more")
    for name, program in given.items():
        check_name(name)
        if not isinstance(program, str) or not DIGEST.fullmatch(program):
            raise ValueError(f"agent {name} has the SHA-256 of a program, in hexadecimal, not {program!r}")
    return given


def edges_of(given, agents):
    """Return the edges of a composite in order; raises `ValueError` unless they join its agents, without a cycle."""
    if not isinstance(given, list) or not all(is_edge(edge, agents) for edge in given):
        raise ValueError("`edges` is a list of pairs of agents")
    edges = sorted(given)
    if any(one == other for one, other in zip(edges, edges[1:])):
        raise ValueError("`edges` has each pair once")
    graph: TopologicalSorter[str] = TopologicalSorter()
    for from_, to in edges:
        graph.add(to, from_)
    try:
        graph.prepare()
    except CycleError as problem:
        raise ValueError(f"agents hand on in a circle: {', '.join(problem.args[1])}") from None
    return edges


def is_edge(edge, agents):
    """Does something join two agents?"""
    return isinstance(edge, list) and len(edge) == 2 and all(isinstance(end, str) and end in agents for end in edge)
