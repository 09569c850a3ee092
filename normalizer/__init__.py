"""The reference normalizer: what Codex does to a history on its way to the model, and nothing else.

    >>> from normalizer import normalize
    >>> call = {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"}
    >>> normalize([call])[1]
    {'type': 'function_call_output', 'call_id': 'c1', 'output': 'aborted'}

Pure functions of plain JSON values, with the standard library only. `families.py` holds the table
of calls and outputs, `plan.py` the rules, `rollout.py` the way from a session's file to a history.
"""

from normalizer.errors import CommandError, HistoryError, SourceError
from normalizer.families import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Family
from normalizer.identity import NAMESPACE, made_up_id
from normalizer.items import History, Item, Normalizer
from normalizer.media import MEDIA, Medium
from normalizer.modalities import ALL, MODALITIES, modality_set
from normalizer.plan import Repair, repairs
from normalizer.prompt import normalize
from normalizer.rollout import Note, Rollout, read_rollout

__all__ = [
    "ALL",
    "FAMILIES",
    "FAMILIES_OF_OUTPUT",
    "FAMILY_OF_CALL",
    "MEDIA",
    "MODALITIES",
    "NAMESPACE",
    "CommandError",
    "Family",
    "History",
    "HistoryError",
    "Item",
    "Medium",
    "Normalizer",
    "Note",
    "Repair",
    "Rollout",
    "SourceError",
    "made_up_id",
    "modality_set",
    "normalize",
    "read_rollout",
    "repairs",
]
