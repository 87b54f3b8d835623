#!/bin/sh
# Refuses staged plain text where the last commit had an encrypted value: FILE… . The values themselves are never printed.
work=$(mktemp -d) || exit 1
trap 'rm -rf -- "$work"' EXIT
found=0
for file in "$@"; do
  # A file that is new, or that the commit takes away, has nothing to compare.
  git show "HEAD:$file" >"$work/old.yaml" 2>/dev/null || continue
  git show ":$file" >"$work/new.yaml" 2>/dev/null || continue
  grep -q 'ENC\[' "$work/old.yaml" || continue
  hierarch yaml diff "$work/old.yaml" "$work/new.yaml" >"$work/changes" 2>"$work/problem"
  if [ $? = 1 ]; then
    echo "$file: cannot be compared with the last commit:" >&2
    sed "s#$work/[a-z]*\.yaml#$file#g" "$work/problem" >&2
    found=1
    continue
  fi
  # `~ /path: old -> new`: encrypted before, and not any more.
  awk -v file="$file" '
    /^~ / {
      arrow = index($0, " -> ")
      if (!arrow) next
      colon = index($0, ": ")
      old = substr($0, colon + 2, arrow - colon - 2)
      new = substr($0, arrow + 4)
      if (old ~ /ENC\[/ && new !~ /ENC\[/ && new !~ /DEC(\([0-9]*\))?::/) {
        printf "%s: %s was encrypted and is plain text now; encrypt it with `hierarch eyaml encrypt`\n", file, substr($0, 3, colon - 3)
        found = 1
      }
    }
    END { exit found }' "$work/changes" >&2 || found=1
done
exit $found
