"""What must hold of every normalizer: the catalogue of properties, and the suite that tries them.

    >>> from properties import violations
    >>> call = {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"}
    >>> [str(violation) for violation in violations([call], {"text"}, [call])][0]
    "prompt item 0: function_call 'c1' has no function_call_output"

`laws/` holds each rule once, as a predicate; `specification.py` all of them, as a model. The tests
`test_*.py` try them on whatever normalizer they are given (`--subject`); `selfcheck/` tests the
suite itself.
"""

from properties.case import PromptError
from properties.catalogue import CATALOGUE, violations
from properties.property import Property, Violation
from properties.specification import specification
from properties.subject import PythonSubject, SkippedError, Subject, SubjectError

__all__ = [
    "CATALOGUE",
    "PromptError",
    "Property",
    "PythonSubject",
    "SkippedError",
    "Subject",
    "SubjectError",
    "Violation",
    "specification",
    "violations",
]
