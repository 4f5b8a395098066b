"""`python -m tilerummy.protocol` prints the JSON Schema of the protocol."""

import json

from tilerummy.protocol.schema import schema

print(json.dumps(schema(), indent=2))
