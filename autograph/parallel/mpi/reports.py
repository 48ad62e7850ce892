"""The errors of processes that cannot go on together: each names ranks, operators and lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from autograph.errors import CollectiveError, Location
from autograph.parallel.mpi.calls import Call, Rendezvous
from autograph.parallel.mpi.post import Answer, Left, Stand

_MOST = 8  # groups of processes that are told apart in one message

Site = tuple[str, "Location | None"]


def ranks(numbers: Collection[int]) -> str:
    """Processes by their ranks, as ``ranks 0 to 3 and 7``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts: list[str] = []
    for run in runs:
        texts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    if len(texts) > _MOST:
        texts[_MOST:] = [f"{len(numbers)} in all"]
    if len(texts) > 1:
        texts = [", ".join(texts[:-1]) + f" and {texts[-1]}"]
    return f"rank{'s' if len(numbers) > 1 else ''} {''.join(texts)}"


def _site(text: str, call: Call | None) -> Site:
    place = None if call is None else call.place
    if place is None and call is not None and call.location:
        text = f"{text}, at {call.location}"
    return text, place


def _has(numbers: Collection[int]) -> str:
    return "has" if len(numbers) == 1 else "have"


def different(stands: Mapping[int, Stand], missing: Collection[int]) -> CollectiveError:
    """The processes are at different collectives, or at one with different operands.

    Args:
        stands: of each process, by rank.
        missing: ranks of those that did not say.
    """
    groups: dict[tuple[Call, str], list[int]] = {}
    for rank, stand in sorted(stands.items()):
        groups.setdefault((stand.call, stand.operands), []).append(rank)
    sites = [
        _site(f"{ranks(members)}: {Rendezvous(call, operands)}", call)
        for (call, operands), members in groups.items()
    ][:_MOST]
    if missing:
        sites.append((f"{ranks(missing)}: did not say", None))
    calls = {call for call, _ in groups}
    if len(calls) == 1 and not missing:
        (call,) = calls
        return CollectiveError(
            f"the operands of '{call.operator}' differ between processes",
            id="AG0661",
            others=tuple(sites),
            fix="give it operands of the same shapes and dtypes on all processes",
        )
    return CollectiveError(
        "the processes call different collectives",
        id="AG0660",
        others=tuple(sites),
        fix="let what decides about a collective be the same on all processes: a 'psum' of it is",
    )


def left(entry: Rendezvous, rank: int, gone: Sequence[Left]) -> CollectiveError:
    """A collective waits for processes that have come to their ends."""
    numbers = [each.rank for each in gone]
    sites = [_site(f"{ranks([rank])}: {entry}", entry.call)]
    sites += [_site(f"{ranks([each.rank])}: {each.how}", each.call) for each in gone[:_MOST]]
    return CollectiveError(
        f"'{entry.call.operator}' waits for {ranks(numbers)}, which {_has(numbers)} left",
        id="AG0662",
        others=tuple(sites),
        fix="let all processes call the same collectives before one of them ends",
    )


def died(
    entry: Rendezvous | None, rank: int, dead: Collection[int], last: Rendezvous | None
) -> CollectiveError:
    """A collective, or the end of the program if there is none, waits for processes that died.

    Args:
        last: what all have been at together before.
    """
    waits = "the end of the program" if entry is None else f"'{entry.call.operator}'"
    sites = []
    if entry is not None:
        sites.append(_site(f"{ranks([rank])}: {entry}", entry.call))
    if last is not None:
        sites.append(_site(f"{ranks(dead)}: died after {last}", last.call))
    return CollectiveError(
        f"{waits} waits for {ranks(dead)}, which {_has(dead)} died",
        id="AG0663",
        others=tuple(sites),
        fix="look at what that process wrote, and whether it was out of memory (dmesg says so)",
    )


def late(
    entry: Rendezvous,
    rank: int,
    seconds: float,
    missing: Mapping[int, Answer | None],
    last: Rendezvous | None,
) -> CollectiveError:
    """A collective has waited too long.

    Args:
        missing: those that have not come, with what they answered.
        last: what all have been at together before.
    """
    sites = [_site(f"{ranks([rank])}: {entry}", entry.call)]
    silent = [number for number, answer in missing.items() if answer is None]
    for number, answer in list(missing.items())[:_MOST]:
        if answer is None:
            continue
        sites.append(_site(f"{ranks([number])} {answer.does}", answer.call))
    if silent:
        does = "does not answer" if len(silent) == 1 else "do not answer"
        after = "" if last is None else f", after {last}"
        sites.append(_site(f"{ranks(silent)} {does}{after}", None if last is None else last.call))
    waits = ranks(missing) if missing else "its messages"
    return CollectiveError(
        f"'{entry.call.operator}' has waited for {waits} for {seconds:.0f} seconds",
        id="AG0664",
        others=tuple(sites),
        fix="look at what is late, or stopped; AUTOGRAPH_COLLECTIVE_TIMEOUT sets the seconds",
    )


def told_to_end(entry: Rendezvous, rank: int) -> CollectiveError:
    """The launcher ends the processes while this one waits."""
    return CollectiveError(
        f"the processes were told to end (SIGTERM) while '{entry.call.operator}' waited",
        id="AG0665",
        others=(_site(f"{ranks([rank])}: {entry}", entry.call),),
        fix="look at what the launcher says: a process on another machine may have died",
    )


def broken(call: Call, since: str) -> CollectiveError:
    """A collective is called after another one has failed or was interrupted."""
    return CollectiveError(
        f"'{call.operator}' cannot run: the processes are no longer at the same place, {since}",
        id="AG0666",
        others=(_site("called", call),),
        fix="let that exception end the program, and start again from a checkpoint",
    )


def failed(entry: Rendezvous, rank: int, message: str) -> CollectiveError:
    """MPI itself has an error."""
    return CollectiveError(
        f"MPI has failed in '{entry.call.operator}': {message}",
        id="AG0669",
        others=(_site(f"{ranks([rank])}: {entry}", entry.call),),
        fix="look at what MPI and the launcher say",
    )
