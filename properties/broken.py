"""A property that a subject broke, with everything that a report or a replay needs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from normalizer import ALL, MODALITIES, CommandError, Item, repairs
from properties.case import json_text


@dataclass(frozen=True, slots=True)
class BrokenCase:
    """The smallest history found on which a property does not hold."""

    #: Name of the property.
    property_name: str
    #: Column of the report that it was found in.
    family: str
    #: Name of the subject that broke it.
    subject: str
    history: list[Item]
    modalities: frozenset[str]
    #: What is wrong, one line for each place.
    findings: tuple[str, ...]
    #: The prompt that the subject gave; None if it gave none.
    prompt: list[Item] | None = None
    #: What it did instead, in a word or two, where it gave no prompt.
    outcome: str = ""
    #: The prompt that its claims ask for.
    expected: list[Item] | None = None

    @property
    def takes(self) -> str:
        """What the model takes, in words."""
        return ", ".join(name for name in MODALITIES if name in self.modalities)

    @property
    def digest(self) -> str:
        """A short hash of the property, the history and the modalities."""
        content = json_text([self.property_name, self.history, sorted(self.modalities)])
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def content(self) -> dict[str, Any]:
        """Return the case as JSON has it; `case_from` makes it a case again."""
        return {
            "property": self.property_name,
            "family": self.family,
            "subject": self.subject,
            "modalities": sorted(self.modalities),
            "history": self.history,
            "findings": self.findings,
            "prompt": self.prompt,
            "outcome": self.outcome,
            "expected": self.expected,
        }

    def save(self, folder: Path) -> Path:
        """Write the case into `folder`, named for the property and its content; return the file.

        Raises CommandError when the folder cannot be written to.
        """
        file = folder / f"{self.property_name.replace('/', '-')}-{self.digest}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(self.content(), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        return file


def read_case(path: Path) -> BrokenCase:
    """Read a case that `BrokenCase.save` wrote. Raises CommandError for anything else."""
    try:
        return case_from(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except KeyError as error:
        raise CommandError(f"{path}: not a saved case: it has no {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise CommandError(f"{path}: not a saved case: {error}") from None


def case_from(content: Any) -> BrokenCase:
    """Return the case that `BrokenCase.content` returned; raises KeyError, ValueError and such."""
    repairs(content["history"], content["modalities"])  # says what is wrong with a history
    return BrokenCase(
        str(content["property"]),
        str(content.get("family", "")),
        str(content.get("subject", "reference")),
        content["history"],
        frozenset(content["modalities"]) & ALL,
        tuple(map(str, content.get("findings", ()))),
        content.get("prompt"),
        str(content.get("outcome", "")),
        content.get("expected"),
    )


def saved_cases(folder: Path) -> list[BrokenCase]:
    """Return the cases that were saved into `folder`; none where there is no such folder."""
    return [read_case(file) for file in sorted(folder.glob("*.json"))]


class Broken(AssertionError):
    """Raised by a conformance test whose property does not hold."""

    def __init__(self, case: BrokenCase) -> None:
        super().__init__(f"{case.property_name}: {'; '.join(case.findings)}")
        self.case = case
