"""The laws, one module a group: each rule of the normalizer is found again here, as a property."""
