"""The regression gate: is a normalizer still right, is the suite as strong, is it as fast?

`line.py` says what a check, a figure and a line are; `right.py`, `strong.py` and `fast.py` hold the
checks, `verdict.py` what follows from them, `settings.py` what the user can choose.
"""
