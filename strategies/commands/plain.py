"""The yardstick for speed: histories as one would first write them, out of nested dictionaries."""

from __future__ import annotations

from hypothesis import strategies as st

from normalizer import Item
from strategies.labelled import Labelled, LabelledHistory

_texts = st.text()
_ids = {"id": st.none() | _texts}
_parts = st.lists(
    st.one_of(
        st.fixed_dictionaries({"type": st.just("input_text"), "text": _texts}),
        st.fixed_dictionaries({"type": st.just("input_image"), "image_url": _texts}),
        st.fixed_dictionaries({"type": st.just("input_audio"), "audio_url": _texts}),
    )
)


def plain_histories() -> st.SearchStrategy[LabelledHistory]:
    """Lists of items of the same types, with any text for each string."""
    return st.lists(_items()).map(Labelled)


def _items() -> st.SearchStrategy[Item]:
    texts, nullable = _texts, st.none() | _texts
    said = texts | _parts
    action = st.fixed_dictionaries({"type": st.just("exec"), "command": st.lists(texts)})
    search = {
        "call_id": nullable,
        "status": texts,
        "execution": st.sampled_from(("client", "server")),
    }
    return st.one_of(
        _item("message", role=st.sampled_from(("user", "assistant", "developer")), content=_parts),
        _item("function_call", call_id=texts, name=texts, arguments=texts),
        _item("custom_tool_call", call_id=texts, name=texts, input=texts),
        _item("local_shell_call", call_id=nullable, status=texts, action=action),
        _item("tool_search_call", **search, arguments=st.dictionaries(texts, texts)),
        _item("function_call_output", call_id=nullable, output=said),
        _item("custom_tool_call_output", call_id=texts, output=said),
        _item("tool_search_output", **search, tools=st.lists(st.dictionaries(texts, texts))),
        _item("reasoning", summary=_parts),
        _item("image_generation_call", status=texts, result=texts),
    )


def _item(kind: str, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[Item]:
    return st.fixed_dictionaries(
        {"type": st.just(kind), **fields}, optional={"id": st.none() | _texts}
    )
