"""The commands that this package brings to the front door."""
