"""Command-line options that several commands share."""

from __future__ import annotations

import argparse

from normalizer.modalities import ALL, MODALITIES, modality_set


def add_modalities(parser: argparse.ArgumentParser) -> None:
    """Add `-m text,image`: what the model takes."""
    parser.add_argument(
        "-m",
        "--modalities",
        type=modalities_of,
        default=ALL,
        metavar="text,image",
        help=f"what the model takes, out of {','.join(MODALITIES)} (default: all)",
    )


def modalities_of(text: str) -> frozenset[str]:
    """Return the modalities in a list with commas, for argparse."""
    try:
        return modality_set([name.strip() for name in text.split(",")])
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
