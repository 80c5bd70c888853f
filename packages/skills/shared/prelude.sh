#!/bin/sh
# {{name}}, version {{version}}: {{base_url}}
#
# SECRET: this file holds an API key. Anyone who has it can spend the account's balance.
# Do not commit it, paste it or pass it on. If it got out, have the key revoked.
#
# Needs a POSIX shell and curl.
set -eu

ATELIER_URL=${ATELIER_URL:-'{{base_url}}'}
ATELIER_API_KEY=${ATELIER_API_KEY:-'{{api_key}}'}
ATELIER_MODEL=${ATELIER_MODEL:-'{{default_model}}'}

request=$(mktemp)
headers=$(mktemp)
answer=$(mktemp)
trap 'rm -f "$request" "$headers" "$answer"' EXIT
trap 'exit 130' INT TERM

say() { printf '%s\n' "$*" >&2; }

# take_value "$@": $value is the value of the option that comes first.
take_value() {
  [ $# -ge 2 ] || { say "$1 needs a value." && exit 2; }
  value=$2
}

# wrong_usage: says how the script is called.
wrong_usage() {
  say "$usage"
  exit 2
}

# A format by its name, or by the ending of a file. svg only where the script sets HAS_SVG.
known_format() {
  case $(printf '%s' "$1" | tr '[:upper:]' '[:lower:]') in
  png) echo png ;;
  jpg | jpeg) echo jpeg ;;
  webp) echo webp ;;
  svg) [ -n "${HAS_SVG:-}" ] && echo svg || unknown_format "$1" ;;
  *) unknown_format "$1" ;;
  esac
}

unknown_format() {
  if [ -n "${HAS_SVG:-}" ]; then names='png, jpeg, webp or svg'; else names='png, jpeg or webp'; fi
  say "Unknown format \"$1\". Use $names."
  exit 2
}

# The URL of each image in a format, in their order. The first of several images is there twice.
image_urls() {
  tr ',{' '\n\n' <"$answer" |
    sed -n "/\"format\": *\"$1\"/,/\"url\"/s/^ *\"url\": *\"\([^\"]*\)\".*/\1/p" |
    awk '!seen[$0]++'
}

# A text as JSON. Control characters become spaces.
json_string() {
  printf '"%s"' "$(printf '%s' "$1" | tr '\001-\037' ' ' | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# The same with its line breaks.
json_lines() {
  printf '"%s"' "$(printf '%s' "$1" | tr '\001-\011\013-\037' ' ' |
    sed 's/\\/\\\\/g; s/"/\\"/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')"
}

# Each text value of a field in the response, one per line; null values are skipped.
# With a second argument, only those after that text. Such values hold no quotes and no commas.
fields() {
  tr ',{' '\n\n' <"$answer" |
    sed -n "${2:+/$2/,\$}s/^ *\"$1\": *\"\([^\"]*\)\".*/\1/p"
}
field() { fields "$@" | sed -n 1p; }

# call METHOD PATH [BODY]: the answer goes to $answer. A POST has one idempotency key for all its
# tries, so that it is carried out, and paid for, once. API key and body are kept out of the list of
# processes.
call() {
  printf '%s' "${3:-}" >"$request"
  send_request "$1" "$2" application/json
}

# send_request METHOD PATH TYPE: sends the file $request.
send_request() {
  key=${IDEMPOTENCY_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
  tries=0
  while :; do
    tries=$((tries + 1))
    status=$(
      {
        printf 'header = "Authorization: Bearer %s"\n' "$ATELIER_API_KEY"
        [ "$1" != POST ] || printf '%s\n' \
          "header = \"Content-Type: $3\"" \
          'header = "Prefer: respond-async"' \
          "header = \"Idempotency-Key: $key\"" \
          "data-binary = \"@$request\""
      } | curl -sS -m 60 -K - -X "$1" -D "$headers" -o "$answer" -w '%{http_code}' "$ATELIER_URL$2"
    ) || status=000
    case $status in
    2??) return 0 ;;
    esac
    # There is a job, whatever became of this answer: reading it tells the rest.
    job=$(sed -n 's/^[Xx]-[Ss]ervice-[Jj]ob-[Ii]d: *\([0-9a-f-]*\).*/\1/p' "$headers" | sed -n 1p)
    [ -z "$job" ] || { printf '{"job_id":"%s"}' "$job" >"$answer" && return 0; }
    case $status in
    000 | 429 | 503 | 504) ;;
    # Of something between; the service's own is the end of a job.
    502) [ -z "$(field error)" ] || break ;;
    409) [ "$(field error)" = idempotency_in_progress ] || break ;;
    *) break ;;
    esac
    [ "$tries" -lt 4 ] || break
    seconds=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$headers" | sed -n 1p)
    sleep "${seconds:-$tries}"
  done
  give_up "$status"
}

give_up() {
  [ -z "${following:-}" ] ||
    say "job $following goes on: read it later with GET /v1/jobs/$following. Running this again makes, and pays for, another."
  if [ "$1" = 000 ]; then
    say "The service could not be reached at $ATELIER_URL."
    say 'what to do: check that ATELIER_URL is right and reachable from here, then run this again.'
    exit 6
  fi
  cat "$answer" >&2
  say ''
  case $1 in
  400 | 404 | 409 | 422) say 'what to do: correct the request as the message says.' && exit 2 ;;
  401 | 403) say 'what to do: use a key that works, or ask the operator of the service.' && exit 3 ;;
  402) say 'what to do: ask the account holder to top up the balance. Do not retry.' && exit 4 ;;
  429 | 503) say 'what to do: wait a minute, then run this again.' && exit 5 ;;
  451) say 'what to do: this image is not allowed for anyone. Do not rephrase the request.' && exit 2 ;;
  *) say 'what to do: run this again; if the error persists, send the request_id to the operator.' && exit 6 ;;
  esac
}

# The job that was accepted, or that a repeated request was answered with.
accepted_job() {
  id=$(field job_id)
  printf '%s' "${id:-$(field id)}"
}

# Polls a job until it is final; $answer has its result then, without the request.
wait_for_job() {
  seen=
  while :; do
    following=$1
    call GET "/v1/jobs/$1"
    following=
    state=$(field status)
    scenes=$(tr ',' '\n' <"$answer" | sed -n 's/^ *"scenes_completed": *\([0-9][0-9]*\).*/, scene \1/p')
    [ "$state$scenes" = "$seen" ] || say "job $1: $state$scenes"
    seen=$state$scenes
    case $state in
    completed)
      sed 's/^.*"result": *{/{/' "$answer" >"$request"
      cp "$request" "$answer"
      return 0
      ;;
    failed | cancelled) give_up "$(status_of_end)" ;;
    esac
    sleep 1
  done
}

# What a job ended with, as the status of a request that is to be treated alike.
status_of_end() {
  say 'Nothing was charged.'
  case $(field error) in
  content_policy_violation | provider_refused | reference_*) echo 422 ;;
  content_illegal) echo 451 ;;
  overloaded | provider_unavailable) echo 503 ;;
  '' | job_cancelled) echo 409 ;;
  *) echo 502 ;;
  esac
}

# The key is not sent: the URL is signed, and may lead to another host.
save_image() {
  curl -sS -f -m 120 -o "$2" "$1" || {
    say 'what to do: read the job again, its URLs are new then.'
    exit 6
  }
}

