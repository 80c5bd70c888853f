"""Builds the three rings of a Swift with one device: build_rings.py <directory> <account port>
<container port> <object port>. Fails where the file system has no extended attributes, which Swift
keeps its metadata in."""

import os
import sys

from swift.common.ring import RingBuilder

directory, *ports = sys.argv[1:]

os.setxattr(directory, "user.swift.probe", b"1")

for kind, port in zip(("account", "container", "object"), ports, strict=True):
    builder = RingBuilder(part_power=2, replicas=1, min_part_hours=1)
    builder.add_dev(
        {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "disk", "weight": 1}
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(directory, kind + ".ring.gz"))
