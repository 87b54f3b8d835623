"""What Unfurl says about cases of merge directives and expressions.

    unfurl.py [--check | --new] FILE…

A file is a YAML document with a list `cases`. What is below a folder `directives` is expanded and, where a case has an `edit`,
saved; the rest is evaluated. The fields in ANSWERS are written by this program, all others by people.
"""

import contextlib
import copy
import datetime
import functools
import http.server
import json
import logging
import os
import pathlib
import re
import sys
import tempfile
import threading

os.environ["UNFURL_LOGGING"] = "critical"
os.environ["UNFURL_HOME"] = ""

from jinja2 import Undefined
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from unfurl.eval import Ref, RefContext, map_value
from unfurl.merge import patch_dict
from unfurl.result import serialize_value
from unfurl.runtime import NodeInstance
from unfurl.support import AttributeManager
from unfurl.util import sensitive
from unfurl.yamlloader import YamlConfig

logging.disable(logging.CRITICAL)

ANSWERS = ["expanded", "result", "matches", "sensitive", "error", "error_kind", "saved", "unfurl"]

# The order of fields in a file: what is asked, what is answered, what people say about it.
ORDER = ["about", "seed", "files", "entry", "env", "root", "data", "start", "vars", "strict", "mode", "expr", "edit"]
ORDER += ANSWERS + ["expected", "recommended", "why"]

# Fields whose lines are easier to read as lines.
TEXTS = {"saved", "unfurl", "expected", "expr", "error"}

# What a message is about, by its words; the first that fits counts.
KINDS = {
    "missing": "missing includes",
    "cycle": "recursive include|maximum recursion depth",
    "merge": "can not merge|is not allowed",
    "pointer": "in JSON pointer|could not find|can not find",
    "include": "document include|Invalid include",
    "document": "invalid YAML document|top level element",
    "yaml": "found|expected|could not determine|while (parsing|scanning)",
}


class Case:
    """The files of a case in a folder of their own, for as long as it is asked."""

    def __init__(self, fields):
        self.fields = fields
        self.folder = None
        self.address = None

    @contextlib.contextmanager
    def unpacked(self):
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="unfurl"))
            files = self.fields.get("files") or {}
            if any(path.startswith("web/") for path in files):
                self.address = stack.enter_context(served(pathlib.Path(self.folder, "web")))
            for path, text in files.items():
                self.write(path, text)
            stack.enter_context(variables({name: value and value.replace("@DIR@", self.folder)
                                           for name, value in (self.fields.get("env") or {}).items()}))
            stack.callback(os.chdir, os.getcwd())
            os.chdir(self.folder)
            yield self

    def write(self, path, text):
        file = pathlib.Path(self.folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = text.replace("@DIR@", self.folder)
        file.write_text(text.replace("@WEB@", self.address) if self.address else text, encoding="utf-8")
        if text.startswith("#!"):
            file.chmod(0o755)

    @property
    def entry(self):
        return self.fields.get("entry", "main.yaml")

    def load(self):
        return YamlConfig(path=os.path.join(self.folder, self.entry))

    def tidy(self, value):
        """Takes out of a value what differs from run to run."""
        if isinstance(value, dict):
            return {self.tidy(key): self.tidy(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.tidy(item) for item in value]
        if not isinstance(value, str):
            return value
        for place in (os.path.realpath(self.folder), self.folder):
            value = value.replace(place, "<dir>")
        value = value.replace(self.address, "@WEB@") if self.address else value
        return re.sub("0x[0-9a-f]{6,}", "0x…", value)

    def message(self, error):
        text = re.sub(r"\AUnable to load yaml config at \S+?: ", "", str(error), count=1)
        return self.tidy(text or type(error).__name__)


@contextlib.contextmanager
def served(folder):
    """Serves a folder for as long as it is needed."""
    folder.mkdir()

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield "http://127.0.0.1:%d" % server.server_port
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def variables(wanted):
    """Sets variables of the process, or takes them away, for a while."""
    before = {name: os.environ.get(name) for name in wanted}
    put(wanted)
    try:
        yield
    finally:
        put(before)


def put(values):
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


# Directives


def ask_directives(fields):
    with Case(fields).unpacked() as case:
        try:
            answer = {"expanded": case.tidy(plain(case.load().expanded))}
        except Exception as error:
            message = case.message(error)
            kinds = (kind for kind, words in KINDS.items() if re.search(words, message))
            return {"error": message, "error_kind": next(kinds, "other")}
    if "edit" in fields:
        field = "unfurl" if "expected" in fields else "saved"
        answer[field] = saved(fields)
        warn_unless_kept(fields, fields.get("expected", answer[field]))
    return answer


def saved(fields):
    """Saves an edited expansion by the steps that Unfurl takes for the status of an ensemble: directives are put back, the
    document is patched so that its layout stays, and written. The anchors' table is handed on."""
    with Case(fields).unpacked() as case:
        try:
            config = case.load()
            wanted = copy.deepcopy(config.expanded)
            anchors = getattr(config.expanded, "_anchorCache", None)
            if anchors is not None:
                wanted._anchorCache = anchors
            patch_dict(wanted, with_layout(fields["edit"]))
            config.restore_includes(wanted)
            patch_dict(config.config, wanted)
            config.save()
            return case.tidy(pathlib.Path(case.folder, case.entry).read_text(encoding="utf-8"))
        except Exception as error:
            return {"error": "%s: %s" % (type(error).__name__, case.message(error))}


def warn_unless_kept(fields, text):
    with Case(fields).unpacked() as case:
        try:
            case.write(case.entry, text)
            found = case.tidy(plain(case.load().expanded))
        except Exception as error:
            found = "error: %s" % error
    if found != fields["edit"]:
        print("%s: the saved text expands to %s, not to `edit`; the case needs an `expected`"
              % (fields.get("about"), json.dumps(found)))


def with_layout(value):
    if isinstance(value, dict):
        return CommentedMap((key, with_layout(item)) for key, item in value.items())
    return CommentedSeq(map(with_layout, value)) if isinstance(value, list) else value


# Expressions


def ask_expression(fields):
    with Case(fields).unpacked() as case:
        try:
            return evaluated(case)
        except Exception as error:
            return {"error": case.message(error), "error_kind": type(error).__name__}


def evaluated(case):
    text = json.dumps(case.fields["expr"]).replace("@DIR@", case.folder)
    if case.fields.get("mode") == "value":
        value = map_value(json.loads(text), context(case))
        answer = {"result": case.tidy(outside(value))}
    else:
        value = Ref(json.loads(text)).resolve(context(case), wantList=False)
        matches = Ref(json.loads(text)).resolve(context(case), wantList=True)
        answer = {"result": case.tidy(outside(value)), "matches": case.tidy(outside(list(matches)))}
    if is_secret(value):
        answer["sensitive"] = True
    return answer


def context(case):
    fields = copy.deepcopy(case.fields)
    instances = {}
    root = instance(fields.get("root", "root"), fields.get("data") or {}, None, instances)
    root._baseDir = case.folder
    root.attributeManager = AttributeManager()
    start = instances[fields.get("start", root.name)]
    return RefContext(start, vars=fields.get("vars") or {}, strict=fields.get("strict"))


def instance(name, data, parent, known):
    """Makes an instance; what stands below `instances` are its children, the rest its attributes."""
    children = data.pop("instances", None) or {}
    known[name] = NodeInstance(name, data, parent)
    for child, below in children.items():
        instance(child, below or {}, known[name], known)
    return known[name]


def outside(value):
    return str(value) if isinstance(value, Undefined) else plain(serialize_value(value, resolveExternal=True))


def is_secret(value):
    if isinstance(value, Undefined):
        return False
    marked = getattr(value, "__sensitive__", None)
    if isinstance(value, sensitive) or (marked is not None and marked()):
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return any(map(is_secret, items))


# Values and files


def plain(value):
    """Returns what JSON can say about a value, keys in their order."""
    if value is None or isinstance(value, bool):
        return value
    for kind, made in ((int, int), (float, float), (str, str.__str__)):
        if isinstance(value, kind):
            return made(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if hasattr(value, "items"):
        name = lambda key: str.__str__(key) if isinstance(key, str) else json.dumps(plain(key))
        return {name(key): plain(item) for key, item in value.items()}
    return {"object": type(value).__name__}


def in_order(case):
    rank = {field: number for number, field in enumerate(ORDER)}
    return dict(sorted(case.items(), key=lambda item: rank.get(item[0], len(rank))))


def quoted(value):
    return json.dumps(value, ensure_ascii=False)


def block(text, indent):
    """Writes a text as lines where every YAML reader gets the same text back."""
    is_plain = not re.search(r"[^\n -~\u00a0-\ufffd]| +$", text) and text.strip("\n") != ""
    if not is_plain or "\n" not in text or text[0] in " \n\t" or text.endswith("\n\n"):
        return quoted(text)
    lines = text.removesuffix("\n").split("\n")
    return "|" + ("" if text.endswith("\n") else "-") + "".join("\n" + (line and indent + line) for line in lines)


def case_text(case):
    fields = []
    for name, value in in_order(case).items():
        if name == "files":
            files = ("\n    %s: %s" % (quoted(path), block(text, " " * 6)) for path, text in value.items())
            fields.append("files:" + "".join(files))
        elif name in TEXTS and isinstance(value, str):
            fields.append("%s: %s" % (name, block(value, " " * 4)))
        else:
            fields.append("%s: %s" % (name, quoted(value)))
    return "- " + "\n  ".join(fields)


def read(text):
    return YAML(typ="safe", pure=True).load(text)["cases"]


def write(file, old, cases):
    head = re.match(r"(?s).*?(?=^cases:)", old, re.M).group()
    text = head + "cases:\n" + "\n\n".join(map(case_text, cases)) + "\n"
    if json.dumps(read(text)) != json.dumps([in_order(case) for case in cases]):
        sys.exit("%s: these cases cannot be written so that they are read the same" % file)
    if text != old:
        file.write_text(text, encoding="utf-8")


def same(one, other):
    return json.dumps(one) == json.dumps(other)


def main():
    flags = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    asked = different = 0
    for file in map(pathlib.Path, sys.argv[1 + len(flags):]):
        ask = ask_directives if "directives" in file.parts else ask_expression
        old = file.read_text(encoding="utf-8")
        cases = read(old)
        for number, case in enumerate(cases):
            recorded = {field: case[field] for field in ANSWERS if field in case}
            if recorded and "--new" in flags:
                continue
            question = {field: value for field, value in case.items() if field not in ANSWERS}
            answer = ask(copy.deepcopy(question))
            asked += 1
            cases[number] = {**question, **answer}
            for field in ANSWERS if "--check" in flags else []:
                if (field in recorded) != (field in answer) or not same(recorded.get(field), answer.get(field)):
                    different += 1
                    print("%s[%d] %s: %s" % (file.name, number, case.get("about", ""), field))
                    print("    recorded: %s" % quoted(recorded.get(field)))
                    print("    now:      %s" % quoted(answer.get(field)))
        if "--check" not in flags:
            write(file, old, cases)
    print("Unfurl: %d asked%s" % (asked, ", %d different" % different if "--check" in flags else ""), file=sys.stderr)
    sys.exit(1 if different else 0)


main()
