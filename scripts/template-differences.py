"""Shows where two files of answers differ: THERE HERE. Errors are alike whatever their words; some differences are explained."""
import json
import sys


def explained(there, here):
    """Returns why a difference is meant, if it is."""
    text = json.dumps(there.get("result"))
    if "ansibleundefined(" in text.lower():
        return "the text of an undefined value inside of a collection is an error here"
    if there.get("result") == there["template"]:
        return "Ansible gives a template back unread when its constants fail"
    if "takes more than" in here.get("error", ""):
        return "a limit"
    return None


def main():
    reasons, unexplained, count = {}, 0, 0
    with open(sys.argv[1], encoding="utf-8") as there, open(sys.argv[2], encoding="utf-8") as here:
        for a, b in zip(map(json.loads, there), map(json.loads, here)):
            count += 1
            same = "error" in a and "error" in b or "result" in a and "result" in b and a["result"] == b["result"]
            if same:
                continue
            why = explained(a, b)
            if why:
                reasons[why] = reasons.get(why, 0) + 1
                continue
            unexplained += 1
            print("%s\n  there %s\n  here  %s" % (a["template"], str(a.get("result", a.get("error")))[:200], str(b)[:200]))
    for why, times in reasons.items():
        print("%d: %s" % (times, why))
    print("%d templates, %d unexplained differences" % (count, unexplained))
    sys.exit(1 if unexplained else 0)


main()
