"""Writes Ansible's answers beside the templates of a case file, or with --check compares them: [--check] FILE.

With --lines, answers templates of standard input, one JSON object per line; the first line has the variables.

Run by scripts/compare-templates with the Python of an environment that has ansible-core 2.15, the one that Unfurl 1.2 uses.
"""
import json
import os
import re
import sys

os.environ["ANSIBLE_JINJA2_NATIVE"] = "True"
os.environ["ANSIBLE_DEPRECATION_WARNINGS"] = "False"
os.environ["TZ"] = "UTC"

import yaml  # noqa: E402
from ansible.parsing.dataloader import DataLoader  # noqa: E402
from ansible.plugins.loader import init_plugin_loader  # noqa: E402
from ansible.template import AnsibleEnvironment, Templar  # noqa: E402
from ansible.utils.display import Display  # noqa: E402

# What would break a line of a case file, or what YAML does not accept.
ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

Display.warning = Display.deprecated = lambda *args, **kwargs: None


def plain(value):
    """Reduces a value to what JSON can say."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    return {"object": type(value).__name__}


def render(template, variables, mode):
    """A value in data is stripped first and keeps its type, as Unfurl asks for it; a file is text, `ansible` that of its own module."""
    templar = Templar(DataLoader(), variables=variables)
    if mode == "ansible":
        templar.environment = AnsibleEnvironment(extensions=[], loader=templar.environment.loader)
        templar.environment.globals.update(Templar(DataLoader(), variables=variables).environment.globals)
        templar.jinja2_native = False
        options = {"convert_data": False, "escape_backslashes": False, "preserve_trailing_newlines": True}
        return templar.do_template(template, fail_on_undefined=True, **options)
    if mode == "text":
        templar = templar.copy_with_new_env(environment_class=AnsibleEnvironment)
        templar.environment.keep_trailing_newline = True
        templar.environment.trim_blocks = False
        options = {"convert_data": False, "escape_backslashes": False, "preserve_trailing_newlines": True}
        # A template that is one variable comes back as that variable, which is written as text all the same.
        return str(templar.template(template, fail_on_undefined=True, **options))
    templar.environment.trim_blocks = False
    return templar.template(template.strip(), fail_on_undefined=True)


def answer(case, variables):
    try:
        return {"result": plain(render(case["template"], variables, case.get("mode")))}
    except Exception as error:
        return {"error": str(error).split("\n")[0].split(". String: ")[0]}


def answer_lines():
    """Answers templates of standard input, one per line; the first line has the variables."""
    init_plugin_loader([])
    variables = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        case = json.loads(line)
        found = answer(case, json.loads(json.dumps(variables)))
        if "error" in found:
            found["error"] = found["error"].split("): ")[-1].split(". ")[0][:80]
        print(json.dumps({**case, **found}, ensure_ascii=False), flush=True)


def main():
    if sys.argv[1] == "--lines":
        return answer_lines()
    check = sys.argv[1] == "--check"
    path = sys.argv[-1]
    init_plugin_loader([])
    lines, changed = [], 0
    with open(path, encoding="utf-8") as source:
        text = source.read()
    variables = yaml.safe_load(text)["vars"]
    for line in text.splitlines():
        if line.startswith("- {"):
            case = json.loads(line[2:])
            given = {key: case[key] for key in ("about", "template", "mode") if key in case}
            now = {**given, **answer(given, json.loads(json.dumps(variables)))}
            if "error" in now and "error" in case and now["error"].split("): ")[-1].split(". ")[0][:80] == case["error"]:
                now["error"] = case["error"]
            if now != case:
                changed += 1
                if check:
                    print("%s\n  kept %s\n  now  %s" % (given["template"], case, now))
            line = "- " + ODD.sub(lambda found: "\\u%04x" % ord(found[0]), json.dumps(now, ensure_ascii=False))
        lines.append(line)
    if not check:
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
    print("%d templates, %d answers %s" % (sum(l.startswith("- {") for l in lines), changed, "differ" if check else "new"))
    sys.exit(1 if check and changed else 0)


main()
