"""Command-line options that several commands share."""

from __future__ import annotations

import argparse

from normalizer.modalities import ALL, MODALITIES, modality_set


def add_modalities(parser: argparse.ArgumentParser) -> None:
    """Add `-m text,image`: what the model takes."""
    parser.add_argument(
        "-m",
        "--modalities",
        type=_modalities,
        default=ALL,
        metavar="text,image",
        help=f"what the model takes, out of {','.join(MODALITIES)} (default: all)",
    )


def _modalities(text: str) -> frozenset[str]:
    try:
        return modality_set([name.strip() for name in text.split(",")])
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
