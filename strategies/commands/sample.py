"""Show generated histories, or count what they hold.

Prints histories as a person reads them: one line an item, brackets from each call to its
outputs, `○` at a call without an output, `×` at an output without a call, and above them
what each history was made with. The same seed prints the same histories.

With --stats it draws that many and prints how often each kind, cut, fault, scenario, set
of call ids and type of item occurs, how long histories are, how many draws were discarded,
and how fast they come, beside a strategy of plain nested dictionaries.

examples:
  callpair sample --faults "item dropped,block replayed" --seed 1
  callpair sample --kind truncated --families custom -n 3 --json
  callpair sample --stats 5000
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from normalizer import FAMILIES, Family
from normalizer.commands.terminal import count, progress, table
from normalizer.errors import CommandError
from strategies.commands.census import LINKED, Census, census_of
from strategies.commands.draws import samples
from strategies.commands.plain import plain_histories
from strategies.corrupted import checked_faults, labelled_corrupted
from strategies.drawing import OPEN, ORPHAN, drawn, marks
from strategies.faults import FAULTS
from strategies.histories import labelled_histories
from strategies.labelled import LabelledHistory
from strategies.pools import CALL_IDS
from strategies.scenarios import SCENARIOS, labelled_scenarios
from strategies.truncated import labelled_truncated
from strategies.whole import Options, labelled_whole

KINDS: Final = ("whole", "truncated", "corrupted", "scenario", "all")

_NUMBER: Final = 5

#: One plain history is timed for so many others: they are slow.
_PLAIN: Final = 10

#: How wide the longest bar of the histogram is.
_BAR: Final = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    number = parser.add_mutually_exclusive_group()
    number.add_argument("-n", type=_positive, metavar="N", help="how many (default: 5)")
    number.add_argument(
        "--stats", type=_positive, metavar="N", help="count what N histories hold instead"
    )
    parser.add_argument("--kind", choices=KINDS, help="what kind of histories (default: all)")
    parser.add_argument(
        "--faults", type=_faults, metavar="a,b", help="only these faults (implies --kind corrupted)"
    )
    parser.add_argument(
        "--families",
        type=_families,
        default=FAMILIES,
        metavar="a,b",
        help=f"only calls of these, out of {','.join(family.name for family in FAMILIES)}",
    )
    parser.add_argument("--seed", type=_seed, metavar="N", help="draw the same as before")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    strategy = _strategy(arguments.kind, arguments.faults, arguments.families)
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    if arguments.stats:
        _count(strategy, arguments.stats, seed, as_json=arguments.json)
    else:
        _show(strategy, arguments.n or _NUMBER, seed, as_json=arguments.json)
    return 0


# --- what was asked for ---------------------------------------------------------------------------


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a number of histories, got {text!r}")
    return number


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _faults(text: str) -> tuple[str, ...]:
    try:
        return checked_faults(_names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _families(text: str) -> tuple[Family, ...]:
    by_name = {family.name: family for family in FAMILIES}
    names = _names(text)
    unknown = [name for name in names if name not in by_name]
    if unknown or not names:
        got = repr(unknown[0]) if unknown else "none"
        raise argparse.ArgumentTypeError(f"choose from {', '.join(by_name)}, got {got}")
    return tuple(by_name[name] for name in names)


def _strategy(
    kind: str | None, faults: Sequence[str] | None, families: Sequence[Family]
) -> st.SearchStrategy[LabelledHistory]:
    if faults and kind in ("whole", "truncated", "scenario"):
        raise CommandError(f"--faults: {kind} histories have none")
    options = Options(families=tuple(families))
    match kind or ("corrupted" if faults else "all"):
        case "whole":
            return labelled_whole(options)
        case "truncated":
            return labelled_truncated(options)
        case "corrupted":
            return labelled_corrupted(options, faults or tuple(FAULTS))
        case "scenario":
            return labelled_scenarios(options)
    return labelled_histories(families=families, faults=faults or tuple(FAULTS))


# --- some of them ---------------------------------------------------------------------------------


def _show(
    strategy: st.SearchStrategy[LabelledHistory], number: int, seed: int, *, as_json: bool
) -> None:
    chosen = samples(strategy, number, lambda drawn: bool(drawn.value), with_seed=seed)
    if as_json:
        plain = [{"labels": some.labels, "history": some.value} for some in chosen]
        print(json.dumps({"seed": seed, "samples": plain}, indent=2))
        return
    print(f"seed {seed}")
    for place, some in enumerate(chosen, start=1):
        print(f"\n{place}. {_title(some)}")
        print("\n".join(f"   {line}" for line in drawn(some.value)))


def _title(some: LabelledHistory) -> str:
    kind, *others = (label.removeprefix("kind: ") for label in some.labels)
    found = Counter(marks(some.value))
    told = [
        count(len(some.value), "item"),
        *([f"{OPEN} {count(found[OPEN], 'open call')}"] if found[OPEN] else []),
        *([f"{ORPHAN} {count(found[ORPHAN], 'orphan')}"] if found[ORPHAN] else []),
    ]
    return "\n   ".join((f"{kind}, {', '.join(told)}", *others))


# --- all of them ----------------------------------------------------------------------------------


def _count(
    strategy: st.SearchStrategy[LabelledHistory], number: int, seed: int, *, as_json: bool
) -> None:
    timed = max(number // _PLAIN, 20)
    bar = progress(range(number + timed), number + timed, "histories")
    census = census_of(strategy, number, with_seed=seed, told=lambda: next(bar, None))
    plain = census_of(plain_histories(), timed, with_seed=seed, told=lambda: next(bar, None))
    for _ in bar:
        pass  # Only an exhausted bar leaves the terminal.
    if as_json:
        print(json.dumps(_plain(census, plain, seed), indent=2))
    else:
        print(_report(census, plain, seed))


#: The kinds of label, each with the number of names it has; None where that is no news.
_LABELS: Final[Mapping[str, int | None]] = {
    "kind": None,
    "cut": None,
    "fault": len(FAULTS),
    "scenario": len(SCENARIOS),
    "call ids": len(CALL_IDS),
}


def _report(census: Census, plain: Census, seed: int) -> str:
    tables = [
        *(_label_table(census, kind, known) for kind, known in _LABELS.items()),
        _type_table(census),
        _size_table(census),
        _speed_table(census, plain),
    ]
    summary = (
        f"seed {seed}: {census.histories:,} histories, "
        f"{count(census.discarded, 'draw')} discarded ({census.discarded_share:.1%})"
    )
    return "\n\n".join([*filter(None, tables), summary])


def _label_table(census: Census, kind: str, known: int | None) -> str:
    counts = census.labelled(kind)
    title = f"{kind} ({len(counts)} of {known})" if known else kind
    rows = [(name, f"{number:,}", _share(census, number)) for name, number in counts.items()]
    return table(rows, (title, "histories", "share"))


def _type_table(census: Census) -> str:
    rows = [
        (
            kind,
            f"{number:,}",
            _share(census, number),
            _share(census, census.alone[kind]) if kind in LINKED else "-",
        )
        for kind, number in census.types.most_common()
    ]
    return table(rows, ("type of item", "histories", "share", "open or orphaned"))


def _size_table(census: Census) -> str:
    buckets = Counter[int]()
    for size, number in census.sizes.items():
        buckets[size if size < 2 else (size - 1).bit_length() + 1] += number
    longest = max(buckets.values())
    rows = [
        (
            str(bucket) if bucket < 3 else f"{2 ** (bucket - 2) + 1}-{2 ** (bucket - 1)}",
            f"{buckets[bucket]:,}",
            _share(census, buckets[bucket]),
            "█" * round(_BAR * buckets[bucket] / longest),
        )
        for bucket in range(max(buckets) + 1)
    ]
    return table(rows, ("items", "histories", "share", ""))


def _speed_table(census: Census, plain: Census) -> str:
    rows = [
        (name, f"{some.speed:,.0f}", f"{some.mean_size:.1f}", f"{some.speed / plain.speed:.2f}")
        for name, some in (("these", census), ("plain dictionaries", plain))
    ]
    return table(rows, ("strategy", "histories a second", "items each", "ratio"))


def _share(census: Census, number: int) -> str:
    return f"{number / census.histories:.2%}"


def _plain(census: Census, plain: Census, seed: int) -> dict[str, Any]:
    return {
        "seed": seed,
        "histories": census.histories,
        "discarded": census.discarded,
        "labels": {kind: census.labelled(kind) for kind in _LABELS},
        "types": dict(census.types.most_common()),
        "open_or_orphaned": dict(census.alone.most_common()),
        "sizes": dict(sorted(census.sizes.items())),
        "speed": census.speed,
        "ratio": census.speed / plain.speed,
    }
