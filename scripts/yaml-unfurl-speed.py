"""Prints how long Unfurl takes to load, expand and save a document with one value changed: FILE KEY, in seconds of CPU."""
import copy
import logging
import os
import sys
import tempfile
import time

logging.disable(logging.CRITICAL)
from unfurl.merge import patch_dict  # noqa: E402
from unfurl.yamlloader import YamlConfig  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "main.yaml")
    with open(sys.argv[1]) as source, open(path, "w") as target:
        target.write(source.read())
    start = time.process_time()
    config = YamlConfig(path=path)
    changed = copy.deepcopy(config.expanded)
    changed[sys.argv[2]]["name"] = 5
    config.restore_includes(changed)
    patch_dict(config.config, changed)
    config.save()
    print("%.3f s" % (time.process_time() - start))
