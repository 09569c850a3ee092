"""Normalizers that people use, each behind the interface of a subject: `peer:NAME`.

`peer.py` lists them, with what they claim. Each has a thin adapter, and a package to install: the
extra `peers` brings the versions that were tried. `bridge.py` takes histories to chat messages and
back, for those that know no other.
"""

from benchmarks.peers.peer import PEERS, Peer, installed_peers

__all__ = ["PEERS", "Peer", "installed_peers"]
