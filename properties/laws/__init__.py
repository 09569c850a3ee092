"""The laws, one module a group: each rule of the normalizer is found again here, as a property."""

from properties.laws import (
    idempotence,
    identity,
    immutability,
    media,
    metamorphic,
    model,
    orphans,
    pairing,
    preservation,
    session,
)

#: The groups whose laws are about any history, in the order of the report. Three properties stand
#: apart, for what they are tried on: `exhaustive`, `large` and `work`.
MODULES = (
    pairing,
    orphans,
    identity,
    idempotence,
    immutability,
    preservation,
    media,
    metamorphic,
    model,
    session,
)
