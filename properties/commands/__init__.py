"""The commands over normalizers: `callpair check`, `callpair replay` and `callpair judge`."""
