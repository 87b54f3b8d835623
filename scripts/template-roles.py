"""Renders the templates of Ansible roles below some folders with Ansible, and with Hierarch: BINARY FOLDER… .

A template gets the defaults and variables of its role, a few facts, and for every name that is still undefined a value
of the kind that the template uses it as; what Ansible makes of the variables is what both get. Run by
scripts/compare-templates --roles with a Python that has ansible-core.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

os.environ["ANSIBLE_DEPRECATION_WARNINGS"] = "False"
os.environ["TZ"] = "UTC"

import yaml  # noqa: E402
from ansible.parsing.dataloader import DataLoader  # noqa: E402
from ansible.plugins.loader import init_plugin_loader  # noqa: E402
from ansible.template import Templar  # noqa: E402
from ansible.utils.display import Display  # noqa: E402

Display.warning = Display.deprecated = Display.display = lambda *args, **kwargs: None

FACTS = {
    "ansible_facts": {
        "distribution": "Debian", "distribution_release": "bookworm", "distribution_major_version": "12", "distribution_version": "12.5",
        "os_family": "Debian", "hostname": "web01", "fqdn": "web01.example.com", "domain": "example.com", "nodename": "web01",
        "architecture": "x86_64", "processor_vcpus": 4, "processor_cores": 4, "memtotal_mb": 8192, "kernel": "6.1.0", "service_mgr": "systemd",
        "default_ipv4": {"address": "192.0.2.10", "interface": "eth0", "gateway": "192.0.2.1"}, "python_version": "3.11.2",
        "default_ipv6": {"address": "2001:db8::10"}, "all_ipv4_addresses": ["192.0.2.10"], "interfaces": ["eth0", "lo"],
        "eth0": {"device": "eth0", "ipv4": {"address": "192.0.2.10", "netmask": "255.255.255.0"}}, "date_time": {"year": "2024", "iso8601": "2024-01-01T00:00:00Z"},
    },
    "inventory_hostname": "web01", "inventory_hostname_short": "web01", "ansible_managed": "Ansible managed", "ansible_check_mode": False,
    "groups": {"all": ["web01", "web02"], "ungrouped": []}, "group_names": ["web"], "play_hosts": ["web01"], "ansible_play_hosts": ["web01"],
    "ansible_version": {"full": "2.15.9", "major": 2, "minor": 15}, "playbook_dir": "/playbook", "role_path": "/role",
}
FACTS.update({"ansible_" + name: value for name, value in FACTS["ansible_facts"].items()})
FACTS["hostvars"] = {host: {**FACTS, "inventory_hostname": host} for host in ("web01", "web02")}

TRIES = 80


def guess(name, text):
    """A value for a name, of the kind that the template uses it as."""
    use = r"\b%s\b" % re.escape(name)
    if re.search(use + r"(\.items\(\)|\s*\|\s*(dict2items|combine))", text):
        return {"first": "one", "second": "two"}
    if re.search(r"\bin\s+(\w+\.)*" + use, text) or re.search(use + r"\s*\|\s*(join|unique|map|select|list)", text):
        return ["one", "two"]
    if re.search(use + r"\s*\|\s*(int|float)", text) or re.search(r"(port|size|count|timeout|num|max|min)", name):
        return 42
    if re.search(use + r"\s*\|\s*bool", text) or re.search(r"(enable|use_|is_|has_)", name):
        return True
    if re.search(use + r"(\.\w|\[['\"])", text):
        return {}
    return name + " value"


def lacking(template, variables, attribute):
    """Gives what lacks an attribute one: the maps in front of it in the text, and the items of lists that are looped over."""
    changed = False
    for match in re.finditer(r"([\w.]+?)(?:\.|\[['\"])%s\b" % re.escape(attribute), template):
        base = match.group(1)
        places = [base] + re.findall(r"for\s+(?:\w+\s*,\s*)?%s\s+in\s+([\w.]+)" % re.escape(base), template)
        places += re.findall(r"set\s+%s\s*=\s*([\w.]+)" % re.escape(base), template)
        for place in places:
            value = variables
            for part in place.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if isinstance(value, list):
                value[:] = [item if isinstance(item, dict) else {"name": item} for item in value]
                for item in value:
                    if attribute not in item:
                        item[attribute] = guess(attribute, template)
                        changed = True
            elif isinstance(value, dict) and attribute not in value:
                value[attribute] = guess(attribute, template)
                changed = True
            elif isinstance(value, str) and "." not in place and place in variables:
                variables[place] = {attribute: guess(attribute, template)}
                changed = True
    return changed


def load(path):
    try:
        with open(path, encoding="utf-8") as source:
            found = yaml.safe_load(source)
        return found if isinstance(found, dict) else {}
    except Exception:
        return {}


def role_variables(role):
    found = {}
    for pattern in ("defaults/main.y*ml", "defaults/main/*.y*ml", "vars/main.y*ml", "vars/main/*.y*ml", "vars/Debian.y*ml", "vars/debian.y*ml"):
        for path in sorted(glob.glob(os.path.join(role, pattern))):
            found.update(load(path))
    return found


def plain(value):
    return json.loads(json.dumps(value, default=str))


def resolved(variables, text):
    """The variables that a text may use, themselves templated; those that cannot be are left out."""
    wanted = set(re.findall(r"\w+", text))
    found = {}
    for name in list(variables):
        if name not in wanted:
            continue
        try:
            found[name] = plain(Templar(DataLoader(), variables=variables).template(variables[name], fail_on_undefined=True))
        except Exception:
            pass
    return found


def ansible(path, text, variables):
    """What the module template makes of a file."""
    loader = DataLoader()
    loader.set_basedir(os.path.dirname(path))
    templar = Templar(loader, variables=variables)
    from ansible.template import AnsibleEnvironment

    templar = templar.copy_with_new_env(environment_class=AnsibleEnvironment, searchpath=[os.path.dirname(path)], available_variables=variables)
    return templar.template(text, fail_on_undefined=True, convert_data=False, escape_backslashes=False, preserve_trailing_newlines=True)


def rendered(path, text, variables):
    """Renders until nothing is undefined; the text, or the last error."""
    for _ in range(TRIES):
        try:
            return {"result": str(ansible(path, text, json.loads(json.dumps(variables))))}
        except Exception as error:
            words = str(error)
        name = re.search(r"'(\w+)' is undefined", words)
        attribute = re.search(r"has no attribute '([^']+)'", words)
        if name and name.group(1) not in variables:
            variables[name.group(1)] = guess(name.group(1), text)
        elif not (attribute and lacking(text, variables, attribute.group(1))):
            break
    return {"error": words.split("\n")[0][:160]}


def ours(binary, path, variables, folder):
    data = os.path.join(folder, "vars.json")
    with open(data, "w", encoding="utf-8") as out:
        json.dump(variables, out)
    command = [binary, "template", path, "--ansible", "--data", data]
    run = subprocess.run(command, capture_output=True, timeout=60)
    if run.returncode == 0:
        return {"result": run.stdout.decode("utf-8", "replace")}
    return {"error": run.stderr.decode("utf-8", "replace").split("\n")[0][:160]}


def main():
    binary, folders = sys.argv[1], sys.argv[2:]
    init_plugin_loader([])
    paths = sorted({path for folder in folders for path in glob.glob(folder + "/**/*.j2", recursive=True) if os.path.isfile(path)})
    tally = {"equal": 0, "different": 0, "only Ansible renders": 0, "only Hierarch renders": 0, "neither renders": 0}
    with tempfile.TemporaryDirectory() as work:
        for path in paths:
            try:
                with open(path, encoding="utf-8") as source:
                    text = source.read()
            except UnicodeDecodeError:
                continue
            role = path.split("/templates/")[0]
            variables = resolved({**FACTS, **role_variables(role)}, text)
            there = rendered(path, text, variables)
            here = ours(binary, path, variables, work)
            if "result" in there and "result" in here:
                kind = "equal" if there["result"] == here["result"] else "different"
            elif "result" in there:
                kind = "only Ansible renders"
            else:
                kind = "only Hierarch renders" if "result" in here else "neither renders"
            tally[kind] += 1
            if kind not in ("equal", "neither renders"):
                print(json.dumps({"kind": kind, "file": path, "there": str(there)[:300], "here": str(here)[:300]}), flush=True)
                if kind == "different":
                    a, b = there["result"].split("\n"), here["result"].split("\n")
                    line = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                    print("  line %d\n    there %r\n    here  %r" % (line + 1, a[line:line + 1], b[line:line + 1]), flush=True)
    able = tally["equal"] + tally["different"] + tally["only Ansible renders"]
    print("%d templates: %s" % (sum(tally.values()), ", ".join("%d %s" % (count, kind) for kind, count in tally.items())))
    print("%.2f %% of what Ansible renders is equal" % (100.0 * tally["equal"] / max(able, 1)))
    sys.exit(0 if tally["equal"] >= 0.99 * able else 1)


main()
