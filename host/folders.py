"""Which files may a program read? Those of the folders that it is given: nothing above them, and nothing behind a symbolic link."""

import errno
import os
import stat
import weakref

BESIDES = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK      # no link, and no waiting for the other end of a pipe


class Opened:
    """A file or a folder of the host, to be read; closed when nobody has it any more."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.close = weakref.finalize(self, os.close, descriptor)

    @property
    def about(self):
        """What the host says of it."""
        return os.fstat(self.descriptor)

    @property
    def is_folder(self):
        """Is it a folder?"""
        return stat.S_ISDIR(self.about.st_mode)

    def entries(self):
        """Names in a folder, with what the host says of each, in an order that stays."""
        found = [(b".", self.about), (b"..", self.about)]
        for name in sorted(os.listdir(self.descriptor)):
            found.append((os.fsencode(name), os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)))
        return found

    def within(self, path):
        """What a path from this folder leads to, step by step; raises `OSError` for a step out of it, or to what is neither file nor folder."""
        if path.startswith(b"/"):
            raise PermissionError(errno.EPERM, "a path from the root is outside every folder")
        steps = [self]
        for name in path.split(b"/"):
            if name == b"..":
                steps.pop()
                if not steps:
                    raise PermissionError(errno.EPERM, "a path leads out of its folder")
            elif name not in (b"", b"."):
                steps.append(steps[-1].step(name))
        return steps[-1]

    def step(self, name):
        """What has a name in this folder."""
        if b"\0" in name:
            raise OSError(errno.EINVAL, "a name contains a zero byte")
        found = Opened(os.open(name, BESIDES, dir_fd=self.descriptor))
        if not found.is_folder and not stat.S_ISREG(found.about.st_mode):
            raise PermissionError(errno.EACCES, "only files and folders can be read")
        return found


def folder(path):
    """A folder of the host; raises `OSError`."""
    return Opened(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
