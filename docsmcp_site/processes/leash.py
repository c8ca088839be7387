"""Ties a command to its supervisor: `python leash.py FD COMMAND ...`. However the supervisor ends, the command ends too.

It only watches, and imports nothing of the project, so that it starts in 20 ms.

FD is the reading end of a pipe. Only the supervisor has the writing end, which the kernel closes when it dies, even
by `kill -9`. The command must lead a process group of its own, which is killed as a whole. (Linux's PR_SET_PDEATHSIG
would reach the command, but not the workers that it forks, and is missing on other systems.)
"""

import os
import signal
import sys


def main() -> None:
    leash, command = int(sys.argv[1]), sys.argv[2:]
    # The watcher is a child of a child that has ended, so the command, which replaces this process, is not its parent.
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            watch(leash)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(leash)
    os.execvp(command[0], command)  # noqa: S606


def watch(leash: int) -> None:
    """Waits for the supervisor's death, ignoring signals, then kills the group, this process included."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.read(leash, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
