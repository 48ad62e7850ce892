"""A store over TCP, by which processes find each other where there is no MPI.

The process with rank 0 serves. All give it what they have for a meeting, and once it has that of
all members it gives the list to each of them: the processes agree on collectives by it, share the
id of an NCCL communicator, and split. It knows of a process whose connection ends.
"""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

from autograph.errors import CollectiveError

_PATIENCE = 2.0  # seconds that the store is given to say who is late
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Gone(Exception):
    """Members of a meeting have ended: ``ranks``, and whether they said so."""

    def __init__(self, ranks: list[int], died: bool):
        super().__init__(ranks)
        self.ranks = ranks
        self.died = died


class Late(Exception):
    """Members of a meeting, ``ranks``, did not come in time."""

    def __init__(self, ranks: list[int]):
        super().__init__(ranks)
        self.ranks = ranks


class _Connection:
    """Messages, each a line of JSON."""

    def __init__(self, stream: socket.socket):
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = stream
        self._rest = b""

    def send(self, message: dict[str, Any]) -> None:
        self.stream.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any] | None:
        """The next message; None at the end. Raises TimeoutError as the socket is set to."""
        while b"\n" not in self._rest:
            data = self.stream.recv(2**16)
            if not data:
                return None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)
        self.stream.close()


class _Meeting:
    def __init__(self, members: list[int]):
        self.members = members
        self.given: dict[int, str] = {}


class _Server:
    """Meetings of processes, served by a thread for each."""

    def __init__(self, host: str, port: int, size: int):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=size)
        self.port: int = self._listener.getsockname()[1]
        self._size = size
        self._changed = threading.Condition()
        self._connections: dict[int, _Connection] = {}
        self._meetings: dict[str, _Meeting] = {}
        self._gone: dict[int, bool] = {}  # by rank, whether it died
        threading.Thread(target=self._accept, name="store", daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                stream, _ = self._listener.accept()
                connection = _Connection(stream)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: _Connection) -> None:
        rank, died = -1, True
        with contextlib.suppress(OSError, ValueError, KeyError):
            hello = connection.receive()
            if hello is None:
                return
            rank = int(hello["rank"])
            with self._changed:
                self._connections[rank] = connection
            while (message := connection.receive()) is not None:
                if message["do"] == "leave":
                    died = False
                    break
                with self._changed:
                    self._answer(rank, message)
        if rank >= 0:
            with self._changed:
                self._end(rank, died)
        connection.close()

    def _answer(self, rank: int, message: dict[str, Any]) -> None:
        name = message["meeting"]
        if message["do"] == "ask":
            meeting = self._meetings.get(name)
            late = sorted(set(meeting.members) - set(meeting.given)) if meeting else []
            self._tell(rank, {"late": late})
            return
        meeting = self._meetings.setdefault(name, _Meeting(message["members"]))
        meeting.given[rank] = message["data"]
        if len(meeting.given) == len(meeting.members):
            del self._meetings[name]
            rows = [meeting.given[member] for member in meeting.members]
            for member in meeting.members:
                self._tell(member, {"rows": rows})
        else:
            self._refuse(meeting)

    def _end(self, rank: int, died: bool) -> None:
        self._gone[rank] = died
        for meeting in self._meetings.values():
            if rank in meeting.members:
                self._refuse(meeting)
        self._changed.notify_all()

    def _refuse(self, meeting: _Meeting) -> None:
        """Tell those who wait of those who will not come."""
        gone = [member for member in meeting.members if member in self._gone]
        gone = [member for member in gone if member not in meeting.given]
        if gone:
            for member in meeting.given:
                self._tell(member, {"gone": gone, "died": any(self._gone[each] for each in gone)})
            meeting.given = {}

    def _tell(self, rank: int, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # it has ended, which its own thread finds
            self._connections[rank].send(message)

    def close(self, limit: float) -> None:
        """Wait for the other processes to leave, for so many seconds, and end."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._gone) >= self._size, limit)
        self._listener.close()


class TcpStore:
    """The connection of a process to the store; of rank 0 also the store.

    Args:
        rank: of this process.
        size: how many there are.
        host: where the process with rank 0 is.
        port: where it serves.
        limit: how many seconds the others are waited for.

    Raises:
        CollectiveError: the process with rank 0 is not there, or something else is.
    """

    def __init__(self, rank: int, size: int, host: str, port: int, limit: float):
        self.rank = rank
        self.size = size
        self.limit = limit
        self._lock = threading.Lock()
        self._server: _Server | None = None
        try:
            own = host if host in _LOCAL else ""  # nobody from elsewhere has to reach it
            self._server = _Server(own, port, size) if rank == 0 else None
            self.port = self._server.port if self._server else port
            here = host if own or not self._server else "127.0.0.1"
            self._connection = _Connection(_connected(here, self.port, limit))
            self._connection.send({"rank": rank})
        except OSError as error:
            raise CollectiveError(
                f"rank {rank} does not find the other processes at {host}:{port} ({error})",
                id="AG0674",
                fix="set MASTER_ADDR to the machine of the process with RANK=0, and MASTER_PORT "
                "to a port that is free there",
            ) from error
        self._connection.stream.settimeout(limit)

    def gather(self, meeting: str, members: Sequence[int], data: bytes) -> list[bytes]:
        """What all members give, in their order.

        Args:
            meeting: a name that is the same on all members and used once.

        Raises:
            Gone: some have ended.
            Late: some do not come.
        """
        given = base64.b64encode(data).decode()
        with self._lock:
            try:
                message = {"do": "meet", "meeting": meeting, "members": list(members)}
                self._connection.send({**message, "data": given})
                found = self._connection.receive()
            except TimeoutError:
                self._connection.stream.settimeout(_PATIENCE)
                raise Late(self._late(meeting)) from None
            except OSError:
                found = None
        if found is None:
            raise Gone([0], True)
        if "gone" in found:
            raise Gone(found["gone"], found["died"])
        return [base64.b64decode(row) for row in found["rows"]]

    def _late(self, meeting: str) -> list[int]:
        with contextlib.suppress(OSError):
            self._connection.send({"do": "ask", "meeting": meeting})
            while (found := self._connection.receive()) is not None:
                if "late" in found:
                    return list(found["late"])
        return [0]

    def close(self) -> None:
        """Leave. The process that serves waits for the others."""
        with contextlib.suppress(OSError):
            self._connection.send({"do": "leave"})
        if self._server is not None:
            self._server.close(self.limit)
        self._connection.close()


def _connected(host: str, port: int, limit: float) -> socket.socket:
    end = time.monotonic() + limit
    while True:
        try:
            return socket.create_connection((host, port), timeout=limit)
        except OSError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.05)
