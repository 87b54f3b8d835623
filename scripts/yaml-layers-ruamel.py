"""The tasks of scripts/bench-layers with ruamel.yaml: stream FILE, merge FILE…, edit FILE…, which print what comes out, and
save FILE…, which writes the files."""

import sys

from ruamel.yaml import YAML

yaml = YAML()
task, files = sys.argv[1], sys.argv[2:]


def merged(base, over):
    for key, value in over.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged(below, value)
        elif isinstance(below, list) and isinstance(value, list):
            below.extend(item for item in value if item not in below)
        else:
            base[key] = value


if task == "stream":
    with open(files[0]) as file:
        documents = list(yaml.load_all(file))
    documents[len(documents) // 2]["data"]["port"] = 1
    yaml.dump_all(documents, sys.stdout)
elif task == "merge":
    base = {}
    for name in files:
        with open(name) as file:
            over = yaml.load(file)
        if base:
            merged(base, over)
        else:
            base = over
    yaml.dump(base, sys.stdout)
else:
    for name in files:
        with open(name) as file:
            document = yaml.load(file)
        for container in document["spec"]["containers"]:
            if container["name"] == "app":
                container["image"] = "app:2"
        if task == "save":
            with open(name, "w") as file:
                yaml.dump(document, file)
        else:
            yaml.dump(document, sys.stdout)
