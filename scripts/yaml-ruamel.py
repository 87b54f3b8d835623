#!/usr/bin/env python3
"""Records what ruamel makes of YAML files, a JSON line each, for `examples/compare_core.rs`.

    scripts/yaml-ruamel.py LIST >RECORDED.jsonl      LIST names the files, one a line; needs ruamel.yaml
"""
import datetime
import json
import math
import sys

from ruamel.yaml import YAML
from ruamel.yaml.comments import TaggedScalar


def key(value):
    """A key as JSON has it: text."""
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float) else str(value)


def plain(value):
    """A value as JSON has it; dates and bytes are only named."""
    if isinstance(value, TaggedScalar):
        return plain(value.value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return {"date": str(value)}
    if isinstance(value, dict):
        return {key(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return {"bytes": True}
    return {"other": type(value).__name__}


def record(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        return {"file": path, "value": plain(YAML(typ="rt").load(text))}
    except Exception as error:  # whatever it is, the file is refused
        return {"file": path, "error": f"{type(error).__name__}: {str(error).splitlines()[:1]}"}


def main():
    with open(sys.argv[1], encoding="utf-8") as names:
        for path in names.read().split("\n"):
            try:
                line = record(path) if path else None
            except (OSError, UnicodeDecodeError):
                continue
            if line:
                print(json.dumps(line))


main()
