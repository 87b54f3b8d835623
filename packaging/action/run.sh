#!/usr/bin/env bash
# The GitHub Action: downloads and checks the program, runs `check` or `impact`, writes the job's summary and, for a pull
# request from the same repository, one comment that is edited on each push. Needs bash, curl and jq.
#
# HIERARCH_BINARY names a program that is there already; HIERARCH_DOWNLOADS another place than the releases' page.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# Each control repository of a pull request has a comment of its own.
marker="<!-- hierarch impact${HIERARCH_DIRECTORY:+ $HIERARCH_DIRECTORY}${HIERARCH_ENVIRONMENT:+ ($HIERARCH_ENVIRONMENT)} -->"

# Says it where GitHub reads annotations, also from within a command whose output is taken.
stop() {
  echo "::error title=hierarch::$1" >&2
  exit 1
}

# ---- the program

# The targets whose archives run here, the best first; all of them are static.
targets() {
  case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) echo x86_64-unknown-linux-musl x86_64-unknown-linux-gnu ;;
  Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl aarch64-unknown-linux-gnu ;;
  Darwin-x86_64) echo x86_64-apple-darwin ;;
  Darwin-arm64) echo aarch64-apple-darwin ;;
  *) stop "there is no archive for $(uname -s) on $(uname -m); there are Linux and macOS on x86_64 and aarch64" ;;
  esac
}

download() {
  local targets target version name wanted found
  targets=$(targets) || exit 1
  version=${HIERARCH_VERSION:-$(awk '!/^#/ && NF { name = $2 } END { sub(/^hierarch-/, "", name); sub(/-[a-z0-9_]+-(unknown|apple)-.*$/, "", name); print name }' "$here/sums")}
  [ -n "$version" ] || stop "no version is known: the action's list of sums is empty; name one with version:"
  for target in $targets; do
    name="hierarch-$version-$target.tar.gz"
    wanted=$(awk -v name="$name" '!/^#/ && $2 == name { print $1 }' "$here/sums")
    [ -z "$wanted" ] || break
  done
  [ -n "$wanted" ] || stop "$name is not in the action's list of sums; take a release of the action that knows it"
  curl --fail --silent --show-error --location --max-time 120 --output "$work/$name" \
    "${HIERARCH_DOWNLOADS:-https://github.com/hierarch/hierarch/releases/download}/v$version/$name" ||
    stop "$name could not be downloaded"
  found=$(sha256sum "$work/$name" | cut -d' ' -f1)
  [ "$found" = "$wanted" ] || stop "the sum of $name is $found and not $wanted: nothing was run"
  tar --extract --gzip --file "$work/$name" --directory "$work"
  binary="$work/${name%.tar.gz}/hierarch"
}

binary=${HIERARCH_BINARY:-}
[ -n "$binary" ] || download

# ---- the event

event() { jq --raw-output "$1 // empty" "${GITHUB_EVENT_PATH:-/dev/null}" 2>/dev/null || true; }
number=$(event .pull_request.number)
base=$(event .pull_request.base.sha)
from_repository=$(event .pull_request.head.repo.full_name)
where=()
[ -z "${HIERARCH_DIRECTORY:-}" ] || where=(-C "$HIERARCH_DIRECTORY")
asked=()
[ -z "${HIERARCH_NODES_FROM:-}" ] || asked+=(--nodes "$HIERARCH_NODES_FROM")
[ -z "${HIERARCH_ENVIRONMENT:-}" ] || asked+=(--environment "$HIERARCH_ENVIRONMENT")
read -ra more <<<"${HIERARCH_ARGUMENTS:-}" || true
asked+=(${more[@]+"${more[@]}"})
title=${HIERARCH_DIRECTORY:+ $HIERARCH_DIRECTORY}

# ---- the commands

summary() { cat "$1" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"; }

check() {
  local status=0 log=${RUNNER_TEMP:-$work}/hierarch.sarif
  "$binary" ${where[@]+"${where[@]}"} check ${asked[@]+"${asked[@]}"} --render-as sarif >"$log" 2>"$work/problem" || status=$?
  cat "$work/problem" >&2
  [ "$status" != 1 ] || stop "$(head -n 1 "$work/problem")"
  [ -z "${GITHUB_OUTPUT:-}" ] || echo "sarif=$log" >>"$GITHUB_OUTPUT"
  "$binary" ${where[@]+"${where[@]}"} check ${asked[@]+"${asked[@]}"} --render-as github || true
  { echo "### hierarch check$title"; echo '```'; "$binary" ${where[@]+"${where[@]}"} check ${asked[@]+"${asked[@]}"} || true; echo '```'; } >"$work/check.md"
  summary "$work/check.md"
  exit "$status"
}

impact() {
  local status=0 from=${HIERARCH_FROM:-$base}
  [ -n "$from" ] || stop "there is nothing to compare with: name a revision with from:, or run on pull requests"
  "$binary" ${where[@]+"${where[@]}"} impact "$from...${HIERARCH_TO:-HEAD}" ${asked[@]+"${asked[@]}"} --render-as markdown >"$work/impact.md" 2>"$work/problem" || status=$?
  if [ "$status" != 0 ] && [ "$status" != 2 ]; then
    cat "$work/problem" >&2
    stop "$(head -n 1 "$work/problem")"
  fi
  summary "$work/impact.md"
  if [ "${HIERARCH_COMMENT:-true}" = true ]; then comment "$work/impact.md"; fi
  if [ "$status" = 2 ] && [ "${HIERARCH_FAIL_ON_CHANGES:-false}" = true ]; then exit 2; fi
}

# ---- the comment

api() { # METHOD PATH [BODY]
  curl --fail-with-body --silent --show-error --max-time 30 --request "$1" \
    --header "Authorization: Bearer $GITHUB_TOKEN" --header 'Accept: application/vnd.github+json' \
    ${3:+--data-binary "@$3"} "${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/$2"
}

# Prints the id of our comment, if there is one.
ours() {
  local page=1 found
  while :; do
    api GET "issues/$number/comments?per_page=100&page=$page" >"$work/page" || return 1
    found=$(jq --raw-output --arg marker "$marker" '[.[] | select(.body | startswith($marker)) | .id][0] // empty' "$work/page")
    if [ -n "$found" ] || [ "$(jq length "$work/page")" -lt 100 ]; then
      echo "$found"
      return
    fi
    page=$((page + 1))
  done
}

comment() {
  local id
  [ -n "$number" ] || return 0
  if [ "$from_repository" != "${GITHUB_REPOSITORY:-}" ]; then
    echo "::notice title=hierarch::a pull request from a fork gets no comment; the impact is in the job's summary"
    return 0
  fi
  if [ -z "${GITHUB_TOKEN:-}" ]; then
    echo "::notice title=hierarch::without a token there is no comment; the impact is in the job's summary"
    return 0
  fi
  # GitHub takes 65,536 characters.
  { echo "$marker"; head -c 60000 "$1"; } | jq --raw-input --slurp '{body: .}' >"$work/body"
  id=$(ours) || stop "the comments of pull request $number cannot be read; give the job permission pull-requests: write"
  if [ -n "$id" ]; then
    api PATCH "issues/comments/$id" "$work/body" >/dev/null || stop "the comment could not be edited"
  else
    api POST "issues/$number/comments" "$work/body" >/dev/null ||
      stop "the comment could not be written; give the job permission pull-requests: write"
  fi
}

case "${HIERARCH_COMMAND:-check}" in
check) check ;;
impact) impact ;;
*) stop "command: must be check or impact, not $HIERARCH_COMMAND" ;;
esac
