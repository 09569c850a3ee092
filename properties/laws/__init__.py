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

#: The groups, in the order of the report. Two properties stand apart, in modules of their own, for
#: what they need: `exhaustive` all of these, `work` long histories.
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
