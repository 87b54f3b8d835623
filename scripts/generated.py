"""What the generators of programs share: so many cases of a seed, a JSON object a line."""
import json
import sys


def print_cases(generator):
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    cases = generator(seed)
    for _ in range(count):
        print(json.dumps(cases.case(), ensure_ascii=False))
