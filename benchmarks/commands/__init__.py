"""The commands that measure normalizers and compare them."""
