"""The commands that measure and compare normalizers: `bench`, `gate`, `codex`, `matrix`."""
