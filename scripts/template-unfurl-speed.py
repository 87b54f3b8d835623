"""Prints how long Unfurl takes to evaluate the data of a JSON file, in seconds of CPU, and a checksum of the answers: FILE."""
import hashlib
import json
import logging
import os
import sys
import time

os.environ.setdefault("UNFURL_LOGGING", "critical")
os.environ.setdefault("UNFURL_HOME", "")
logging.disable(logging.CRITICAL)
from unfurl.eval import RefContext, map_value  # noqa: E402
from unfurl.result import serialize_value  # noqa: E402
from unfurl.runtime import NodeInstance  # noqa: E402
from unfurl.support import AttributeManager  # noqa: E402

with open(sys.argv[1], encoding="utf-8") as source:
    case = json.load(source)
root = NodeInstance("root", {key: value for key, value in case["data"].items() if key != "instances"})
for name, attributes in case["data"]["instances"].items():
    NodeInstance(name, attributes, root)
root.attributeManager = AttributeManager()
start = time.process_time()
answers = serialize_value(map_value(case["values"], RefContext(root)))
seconds = time.process_time() - start
text = json.dumps(answers, separators=(",", ":"), ensure_ascii=False)
print("%.4f %s" % (seconds, hashlib.sha1(text.encode()).hexdigest()))
