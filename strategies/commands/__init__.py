"""The command over generated histories: `callpair sample`."""
