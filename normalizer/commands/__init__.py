"""The commands over recorded sessions: `callpair prompt` and `callpair doctor`."""
