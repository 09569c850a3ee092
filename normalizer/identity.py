"""Item ids of made-up outputs: the same for the same call in every run, so prompt caches hold."""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid5

from normalizer.families import Family

#: Codex's namespace for item ids that it derives.
NAMESPACE: Final = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")


def made_up_id(family: Family, call_item_id: str) -> str:
    """Return the item id of the made-up output for the call whose item id is `call_item_id`.

    It depends on nothing else. With the function family, `fc_1` gives
    `fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4`.
    """
    prefix = family.id_prefix
    return f"{prefix}_{uuid5(NAMESPACE, f'{prefix}:{call_item_id}')}"
