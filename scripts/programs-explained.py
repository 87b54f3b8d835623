"""Tells the differences that tests/differs explains from those that nobody has explained.

    xtask cases FILES --json | python3 scripts/programs-explained.py

Each explanation names the recorded cases that show it, and holds only for a difference of exactly that form. Prints the others, and
ends with 1 if there are any.
"""
import json
import re
import sys

NO_TITLE = 'No title provided and "class" is not a valid resource reference'
TYPE_SET = "Initializer for class Puppet::Pops::Types::PTypeSetType"


def expected(difference):
    """The fields that differ, each with what Puppet and what Hierarch say."""
    found = {}
    for part in re.split(r"(?m)^(?=\S)", difference):
        match = re.match(r"(?s)(\S+)\n\s+expected: (.*?)\n\s+got: +(.*)", part.strip("\n"))
        if match:
            found[match[1]] = (match[2].strip(), match[3].strip())
    return found


def is_nil_of_init(case, fields):
    """Ruby's nil, where a type is compared with an Init that has no say."""
    if "Init[" not in case["code"] or set(fields) - {"result", "result_type", "error.message"}:
        return False
    return all(theirs.replace("undef", "false").replace("Undef", "Boolean[false]") == ours
               or theirs.replace("got Undef", "got Boolean") == ours for theirs, ours in fields.values())


def is_place_of_pattern(case, fields):
    """A malformed pattern keeps its place."""
    said = case.get("error", {}).get("message", "")
    return said.endswith("/") and set(fields) <= {"error.issue", "error.line", "error.col"} and "line" not in case["error"]


def is_wide_integer(case, fields):
    """Integers beyond 64 bits are errors that say so."""
    return bool(re.search(r"\d{19}", json.dumps(case.get("result", "")))) and "outside of the range of" in fields.get("error", ("", ""))[1]


def is_identity_of_times(case, fields):
    """Two times are two objects to Puppet."""
    return "Sensitive" in case["code"] and re.search("Timestamp|Timespan", case["code"]) and fields.get("result") == ('"false"', '"true"')


def is_tag_without_place(case, fields):
    """An error of tag() in a class that is declared with attributes loses its place."""
    theirs, ours = fields.get("error.message", ("", ""))
    return theirs.startswith("\"Invalid tag '") and ours.endswith(theirs[1:])


def is_shared_list(case, fields):
    """Puppet appends relationships to a list that the resources of one declaration, or of one default, share."""
    if set(fields) != {"catalog"} or not re.search("[-~]>|<[-~]", case["code"]):
        return False
    theirs, ours = (json.loads(side) for side in fields["catalog"])
    for resource, other in zip(theirs["resources"], ours["resources"]):
        for name in ("before", "require", "notify", "subscribe"):
            lists = [side["parameters"].get(name) for side in (resource, other)]
            if all(isinstance(items, list) for items in lists) and set(lists[1]) <= set(lists[0]):
                resource["parameters"][name] = lists[1]
    return theirs == ours


def is_class_at_the_end(case, fields):
    """The type of all classes as the last value of a body."""
    return NO_TITLE in case.get("error", {}).get("message", "")


def is_type_set_in_catalog(case, fields):
    """Puppet cannot write a type set into a catalog."""
    return case["kind"] == "catalog" and case.get("error", {}).get("message", "").startswith(TYPE_SET) and "TypeSet" in case["code"]


EXPLANATIONS = [is_nil_of_init, is_place_of_pattern, is_wide_integer, is_identity_of_times, is_tag_without_place, is_shared_list,
                is_class_at_the_end, is_type_set_in_catalog]


def main():
    judged = json.load(sys.stdin)
    explained, others = {}, 0
    for verdict in judged["cases"]:
        if verdict["verdict"] == "passed":
            continue
        with open(verdict["file"], encoding="utf-8") as lines:
            case = json.loads(lines.read().split("\n")[int(verdict["at"]) - 1])
        fields = expected(verdict["difference"] or "")
        why = next((rule.__doc__ for rule in EXPLANATIONS if "code" in case and rule(case, fields)), None)
        if why:
            explained[why] = explained.get(why, 0) + 1
        else:
            others += 1
            print(f"{verdict['file']}:{verdict['at']}: {case.get('code', verdict['name'])}\n{verdict['difference']}\n")
    for why, count in explained.items():
        print(f"{count} explained: {why}")
    print(f"{judged['passed']} programs give the same, {sum(explained.values())} differ for a reason that is known, {others} for none")
    sys.exit(1 if others else 0)


main()
