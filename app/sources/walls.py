"""Walls of the Linux kernel round the decoding child: no network, and no file changed anywhere.

A decoder that a bad file has taken over can then read and no more: Landlock refuses whatever
writes, makes, renames or removes a file, and signals to other processes; a seccomp filter refuses
sockets, rings that go round the filter, and looking into other processes. Both hold for what the
child starts, and none of it can be taken back. An older kernel has fewer walls or none; limits on
memory, time and file size (`app.sources.limits`) stand there as everywhere.

Sources: landlock(7) up to version 6, seccomp(2), linux/audit.h, linux/bpf_common.h.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from typing import NamedTuple

NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER_MODE = 38, 22, 2  # of prctl(2)
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # alike on every architecture
TELL_VERSION = 1
PATH_BENEATH = 1
WRITE_FILE = 1 << 1
CHANGES = WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # remove and make, of every kind
REFER, TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
CONNECT_AND_BIND = 0b11  # TCP, since version 4
OTHERS = 0b11  # abstract sockets and signals, since version 6

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, MACHINE_AT = 0, 4  # in what a filter is shown of a call
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 13  # EACCES
X32 = 0x40000000  # a second set of calls of x86-64


class Calls(NamedTuple):
    """A machine's name in filters, and its numbers of the calls that are refused."""

    machine: int
    numbers: tuple[int, ...]  # socket, ptrace, process_vm_writev, io_uring_setup


CALLS = {
    "x86_64": Calls(0xC000003E, (41, 101, 311, 425)),
    "aarch64": Calls(0xC00000B7, (198, 117, 271, 425)),
}


def wall_in() -> None:
    """Put up every wall that this kernel has round the thread that calls."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        _refuse_changes(libc)
        _refuse_calls(libc)


def are_whole() -> bool:
    """Whether this kernel has them all: no network, and no file changed or cut short."""
    return landlock_version() >= 3 and platform.machine() in CALLS


def landlock_version() -> int:
    """Which Landlock the kernel has; 0: none."""
    if sys.platform != "linux":
        return 0
    asked = (CREATE_RULESET, None, ctypes.c_size_t(0), TELL_VERSION)
    return max(0, ctypes.CDLL(None).syscall(*asked))


def _refuse_changes(libc: ctypes.CDLL) -> None:
    version = landlock_version()
    if version < 1:
        return
    asked = _ruleset(version)
    rules = libc.syscall(CREATE_RULESET, asked, ctypes.c_size_t(len(asked)), 0)
    if rules < 0:
        return
    _allow_nothingness(libc, rules)
    libc.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _ruleset(version: int) -> bytes:
    """`struct landlock_ruleset_attr`, as long as the version knows it."""
    files = CHANGES | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    words = [files]
    if version >= 4:
        words.append(CONNECT_AND_BIND)
    if version >= 6:
        words.append(OTHERS)
    return struct.pack(f"={len(words)}Q", *words)


def _allow_nothingness(libc: ctypes.CDLL, rules: int) -> None:
    """What is written to /dev/null changes nothing, and programs are started with it."""
    null = os.open(os.devnull, os.O_PATH)
    rule = struct.pack("=Qi", WRITE_FILE, null)
    libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0)
    os.close(null)


def _refuse_calls(libc: ctypes.CDLL) -> None:
    calls = CALLS.get(platform.machine())
    if calls is None:
        return
    steps = _filter(calls)
    code = ctypes.create_string_buffer(steps)
    filters = struct.pack("@HP", len(steps) // 8, ctypes.addressof(code))
    program = ctypes.create_string_buffer(filters)
    libc.prctl(SET_SECCOMP, FILTER_MODE, ctypes.addressof(program), 0, 0)


def _filter(calls: Calls) -> bytes:
    """A program of the classic packet filter: foreign machines and listed calls are refused."""
    checks = [(JUMP_IF_AT_LEAST, X32), *((JUMP_IF_EQUAL, number) for number in calls.numbers)]
    last = len(checks) + 3  # the step that refuses, after the one that allows
    steps = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_IF_EQUAL, calls.machine, otherwise=last - 1),
        _step(LOAD, NUMBER_AT),
        *(
            _step(kind, value, then=last - 2 - at)
            for at, (kind, value) in enumerate(checks, start=1)
        ),
        _step(RETURN, ALLOW),
        _step(RETURN, REFUSE),
    ]
    return b"".join(steps)


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """`struct sock_filter`: how many steps to pass over if it is so, and if not."""
    return struct.pack("=HBBI", code, then, otherwise, value)
