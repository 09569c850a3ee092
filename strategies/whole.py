"""Whole histories: every call answered, in order, as in a session that nothing went wrong in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from normalizer import FAMILIES, Family, Item
from strategies.bits import Bits, code_lists
from strategies.items import Writer, checked_families
from strategies.labelled import Labelled, LabelledHistory, without_labels

#: The items of one step of a session: a message, a call with its output, a parallel batch.
Block = list[Item]

#: How many blocks are drawn at the most.
_MAX_BLOCKS: Final = 10

#: How often a long session repeats the drawn blocks, with new call ids: bugs in windows, caches and
#: growth show only beyond a few dozen items.
_LONG: Final = 12


@dataclass(frozen=True, slots=True)
class Options:
    """What generated histories may hold; see `histories`."""

    families: tuple[Family, ...] = FAMILIES
    media: bool = True
    unknown: bool = True
    max_items: int = 200


def checked_options(
    families: Collection[Family], *, media: bool, unknown: bool, max_items: int
) -> Options:
    """Return the options; raise ValueError at once for those that allow no history."""
    if max_items < 1:
        raise ValueError(f"max_items: a positive number is needed, not {max_items!r}")
    return Options(checked_families(families), media, unknown, max_items)


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole history on its way to being cut or corrupted."""

    writer: Writer
    blocks: list[Block]
    #: Choices about the history as a whole that nobody made yet.
    bits: Bits
    #: Codes that stand for whatever is added to the history.
    extras: list[bytes]

    @property
    def items(self) -> list[Item]:
        return [item for block in self.blocks for item in block]

    @property
    def labels(self) -> tuple[str, ...]:
        return (f"call ids: {self.writer.id_set}",)


def drafts(options: Options, *, extras: int = 0) -> st.SearchStrategy[Draft]:
    """Whole histories that still know their blocks, each with one to `extras` extras."""
    drawn = code_lists(min_size=1 + min(extras, 1), max_size=1 + extras + _MAX_BLOCKS)
    return drawn.map(lambda some: _draft(some, options, extras))


def whole_histories(
    *,
    families: Collection[Family] = FAMILIES,
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[list[Item]]:
    """Histories in which every call has its output, after it and of its family.

    They hold several turns, parallel batches, reasoning, built-in and server-executed calls, and
    items without a call id where those are allowed. Call ids do not repeat. The options are those
    of `histories`.
    """
    options = checked_options(families, media=media, unknown=unknown, max_items=max_items)
    return without_labels(labelled_whole(options))


def labelled_whole(options: Options) -> st.SearchStrategy[LabelledHistory]:
    """Whole histories with their labels."""
    return drafts(options).map(
        lambda draft: Labelled(draft.items, ("kind: whole", *draft.labels)),
    )


def _draft(drawn: Sequence[bytes], options: Options, extras: int) -> Draft:
    """Decode the codes: the first one says how, then come the extras, then the blocks."""
    header, *rest = drawn
    bits = Bits(header)
    writer = Writer(bits, options.families, media=options.media, unknown=options.unknown)
    repeats = _LONG if bits.flag(4) else 1
    number = 1 + bits.number(3) % extras if extras else 0
    blocks: list[Block] = []
    size = 0
    for code in rest[number:] * repeats:
        block = _block(writer, Bits(code))
        size += len(block)
        if size > options.max_items:
            break
        blocks.append(block)
    return Draft(writer, blocks, bits, rest[:number])


def _block(writer: Writer, bits: Bits) -> Block:
    return bits.choice(_BLOCKS, 4)(writer, bits)


def _user(writer: Writer, bits: Bits) -> Block:
    return [writer.message("user", bits)]


def _assistant(writer: Writer, bits: Bits) -> Block:
    return [writer.message("assistant", bits)]


def _developer(writer: Writer, bits: Bits) -> Block:
    return [writer.message("developer", bits)]


def _answered(writer: Writer, bits: Bits) -> Block:
    family, call_id = bits.choice(writer.families, 2), writer.next_call_id()
    return [writer.call(family, call_id, bits), writer.output(family, call_id, bits)]


def _thought(writer: Writer, bits: Bits) -> Block:
    return [writer.reasoning(), *_answered(writer, bits)]


def _parallel(writer: Writer, bits: Bits) -> Block:
    pairs = [_answered(writer, bits) for _ in range(2 + bits.number(1))]
    return [call for call, _ in pairs] + [output for _, output in pairs]


def _built_in(writer: Writer, bits: Bits) -> Block:
    return [writer.built_in(bits)]


def _server_search(writer: Writer, bits: Bits) -> Block:
    """A search that the API ran itself; its items need neither an id nor each other."""
    search = next((f for f in writer.families if f.name == "tool_search"), None)
    if search is None:
        return _user(writer, bits)
    call_id = None if bits.number(1) else writer.next_call_id()
    items = [writer.call(search, call_id, bits), writer.output(search, call_id, bits)]
    return [item | {"execution": "server"} for item in items]


def _without_call_id(writer: Writer, bits: Bits) -> Block:
    """Items whose call id is null or absent, each where Codex allows that."""
    family = bits.choice(writer.families, 2)
    if family.name in ("local_shell", "tool_search") and bits.number(1):
        return [writer.call(family, None, bits)]
    if family.name == "custom":
        return _user(writer, bits)
    output = writer.output(family, None, bits)
    if family.output_type == "function_call_output" and bits.number(1):
        del output["call_id"]
    return [output]


#: What a session consists of, the plainest first; calls are most of it.
_BLOCKS: Final[tuple[Callable[[Writer, Bits], Block], ...]] = (
    _user,
    _answered,
    _assistant,
    _parallel,
    _thought,
    _answered,
    _user,
    _developer,
    _built_in,
    _server_search,
    _without_call_id,
    _answered,
    _parallel,
    _answered,
    _assistant,
    _built_in,
)
