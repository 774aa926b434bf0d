"""Which files may a session see? Those in its own folder, and those of sessions that granted it; no other.

A path is compared part by part once every link and `..` in it is resolved, never as a text.
"""

import os
from enum import Enum
from pathlib import PurePath

from corollary.governance.checks import LONGEST_PATH, Refused, identifier, member
from corollary.spec.governance.vocabulary import Status

BASE_PATH = "/var/agt/sessions"


class IsolationLevel(Enum):
    """How much of other sessions one may see."""

    SNAPSHOT = "snapshot"  # its own state only
    READ_COMMITTED = "read_committed"  # and reading what others have granted
    SERIALIZABLE = "serializable"  # its own state only; whoever carries it out orders what is done


class SessionScope:
    """What a session may see."""

    def __init__(self, session_id: str, level: IsolationLevel, base_path: str = BASE_PATH):
        self.session_id, self.base_path = identifier("session_id", session_id), base_path
        self.level = member("level", level, IsolationLevel)
        self.granted: frozenset[str] = frozenset()

    @property
    def working_directory(self) -> str:
        """Its own folder."""
        return f"{self.base_path}/{self.session_id}"

    def grant_access(self, other_session_id: str) -> None:
        """Let it read what another session has; raises `Refused` unless its level is READ_COMMITTED."""
        identifier("other_session_id", other_session_id)
        if self.level is not IsolationLevel.READ_COMMITTED:
            raise Refused(Status.RING_DENIED, f"{self.session_id} is isolated as {self.level.value}: no grants")
        self.granted |= {other_session_id}

    def is_path_allowed(self, path: str, write: bool = False) -> bool:
        """May it read a path, or write it? Whatever cannot be resolved is denied."""
        if not isinstance(path, str) or not os.path.isabs(path) or len(path) > LONGEST_PATH:
            return False
        try:
            resolved, base = PurePath(os.path.realpath(path)), PurePath(os.path.realpath(self.base_path))
        except (OSError, ValueError):
            return False
        if any(map(os.path.islink, (resolved, *resolved.parents))):  # links that lead back to themselves
            return False
        seen = {self.session_id} if write else {self.session_id, *self.granted}
        return any(resolved.is_relative_to(base / each) for each in seen)


class IsolationManager:
    """The scopes of sessions. A session without one sees nothing."""

    def __init__(self, base_path: str = BASE_PATH):
        self.base_path, self.scopes = base_path, {}

    def create_scope(self, session_id: str, level: IsolationLevel = IsolationLevel.SNAPSHOT) -> SessionScope:
        """Make the scope of a session; raises `Refused` if it has one."""
        made = SessionScope(session_id, level, self.base_path)
        if self.scopes.setdefault(session_id, made) is not made:
            raise Refused(Status.TAKEN, f"{session_id} has a scope")
        return made

    def check_access(self, session_id: str, path: str, write: bool = False) -> bool:
        """May a session read a path, or write it?"""
        scope = self.scopes.get(session_id)
        return scope is not None and scope.is_path_allowed(path, write)
