"""A filter of system calls for a student's process: what an answer never needs and an attack would.

The namespaces do the isolating. The filter takes away what undoes or evades them: mounting, new namespaces, debugging
of other processes, memory that no limit counts, and corners of the kernel in which its holes are usually found.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# One row a call: its name, its number on x86_64 and on aarch64; None where there is no such call.
_REFUSED: tuple[tuple[str, int, int | None], ...] = (
    ("ptrace", 101, 117),
    ("process_vm_readv", 310, 270),
    ("process_vm_writev", 311, 271),
    ("pidfd_getfd", 438, 438),
    ("kcmp", 312, 272),
    ("mount", 165, 40),
    ("umount2", 166, 39),
    ("pivot_root", 155, 41),
    ("chroot", 161, 51),
    ("open_tree", 428, 428),
    ("move_mount", 429, 429),
    ("fsopen", 430, 430),
    ("fsconfig", 431, 431),
    ("fsmount", 432, 432),
    ("fspick", 433, 433),
    ("mount_setattr", 442, 442),
    ("unshare", 272, 97),
    ("setns", 308, 268),
    ("name_to_handle_at", 303, 264),
    ("open_by_handle_at", 304, 265),
    # What tells whether a file is in memory, which depends on who has read it before: another job, perhaps.
    ("preadv2", 327, 286),  # with RWF_NOWAIT; and by way of asynchronous input, which nobody needs:
    ("io_setup", 206, 0),
    ("mincore", 27, 232),
    ("cachestat", 451, 451),
    ("fadvise64", 221, 223),  # and what brings files in and out without reading
    ("readahead", 187, 213),
    ("memfd_create", 319, 279),
    ("memfd_secret", 447, 447),
    ("vmsplice", 278, 75),  # a pipe holds on to a huge page of which it was given a small part, and nothing counts it
    ("shmget", 29, 194),
    ("msgget", 68, 186),
    ("semget", 64, 190),
    ("mq_open", 240, 180),
    ("add_key", 248, 217),
    ("request_key", 249, 218),
    ("keyctl", 250, 219),
    ("bpf", 321, 280),
    ("perf_event_open", 298, 241),
    ("userfaultfd", 323, 282),
    ("io_uring_setup", 425, 425),
    ("io_uring_enter", 426, 426),
    ("io_uring_register", 427, 427),
    ("fanotify_init", 300, 262),
    ("init_module", 175, 105),
    ("finit_module", 313, 273),
    ("delete_module", 176, 106),
    ("kexec_load", 246, 104),
    ("kexec_file_load", 320, 294),
    ("swapon", 167, 224),
    ("swapoff", 168, 225),
    ("reboot", 169, 142),
    ("syslog", 103, 116),
    ("quotactl", 179, 60),
    ("acct", 163, 89),
    ("setsid", 112, 157),  # where the kernel shares out time by sessions, a job has one share
    ("socket", 41, 198),  # whom an answer could reach is another of its student's; and no limit counts the buffers
    ("socketpair", 53, 199),
    ("sendmsg", 46, 211),  # and sendmmsg: no descriptor leaves, whose closing could hold up whoever receives it
    ("sendmmsg", 307, 269),
    ("flock", 73, 32),  # locks and notices go by files, which are the same for every job: one would tell another
    ("inotify_init", 253, None),
    ("inotify_init1", 294, 26),
    ("modify_ldt", 154, None),
    ("iopl", 172, None),
    ("ioperm", 173, None),
)
_FCNTL = {"x86_64": 72, "aarch64": 25}
_LOCKING = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)  # the commands that set, ask for and wait for locks and notices
_MMAP = {"x86_64": 9, "aarch64": 222}
_SHARED, _ANONYMOUS = 0x01, 0x20  # together memory that stays where no process has a page of it
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW... flags
_X32 = 0x40000000  # the bit that marks calls of a second ABI with numbers of its own

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT, _FOURTH_ARGUMENT = 0, 4, 16, 24, 40
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2

Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def install() -> None:
    """Filter this process's system calls from now on, unless it is on a machine for which there is no filter.

    The process must have given up new privileges before (PR_SET_NO_NEW_PRIVS). Raises OSError where the kernel
    refuses the filter.
    """
    if platform.machine() not in _AUDIT or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program(platform.machine()))
    libc = ctypes.CDLL(None, use_errno=True)
    given = _Program(len(code) // 8, code)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(given), 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def program(machine: str) -> list[Instruction]:
    """Return the filter as instructions of the kernel's packet filter: (code, jump if true, if false, operand)."""
    lines = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, _AUDIT[machine]), (_RETURN, 0, 0, _KILL)]
    lines += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), _refusal(errno.ENOSYS)]
    for _, x86_64, aarch64 in _REFUSED:
        number = x86_64 if machine == "x86_64" else aarch64
        if number is not None:
            lines += [(_EQUAL, 0, 1, number), _refusal(errno.EPERM)]
    lines += [(_EQUAL, 0, 1, _CLONE3), _refusal(errno.ENOSYS)]  # its flags lie in memory; libc falls back to clone
    anonymous = [(_ANY_BIT, 0, 2, _SHARED), (_ANY_BIT, 0, 1, _ANONYMOUS), _refusal(errno.EPERM)]
    lines += _of_call(_MMAP[machine], _FOURTH_ARGUMENT, anonymous)
    locking = [line for command in _LOCKING for line in ((_EQUAL, 0, 1, command), _refusal(errno.EPERM))]
    lines += _of_call(_FCNTL[machine], _SECOND_ARGUMENT, locking)
    namespaces = [(_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refusal(errno.EPERM)]
    return [*lines, *_of_call(_CLONE[machine], _FIRST_ARGUMENT, namespaces), (_RETURN, 0, 0, _ALLOW)]


def _of_call(number: int, argument: int, lines: list[Instruction]) -> list[Instruction]:
    """Return the lines that look at one call's ``argument``, and allow what they do not refuse."""
    return [(_EQUAL, 0, len(lines) + 2, number), (_LOAD, 0, 0, argument), *lines, (_RETURN, 0, 0, _ALLOW)]


def _refusal(error: int) -> Instruction:
    return (_RETURN, 0, 0, _ERROR | error)
