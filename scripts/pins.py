"""Print pip's installation report as constraints: one exact pin a line, no address."""

import json
import sys
from pathlib import Path

packages = [entry["metadata"] for entry in json.loads(Path(sys.argv[1]).read_text())["install"]]
pins = {package["name"].lower().replace("_", "-"): package["version"] for package in packages}
print("# Written by `make pins` with the oldest supported Python.")
for name in sorted(pins.keys() - {"tilerummy"}):
    print(f"{name}=={pins[name]}")
