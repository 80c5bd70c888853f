#!/bin/sh
# {{name}}, version {{version}}: {{base_url}}
#
# SECRET: this file holds an API key. Whoever has it spends the account's balance.
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

# A text as JSON. Control characters become spaces.
json_string() {
  printf '"%s"' "$(printf '%s' "$1" | tr '\001-\037' ' ' | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# Each value of a text field in the answer, on a line of its own; of null there is none.
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
  key=${IDEMPOTENCY_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
  printf '%s' "${3:-}" >"$request"
  tries=0
  while :; do
    tries=$((tries + 1))
    status=$(
      {
        printf 'header = "Authorization: Bearer %s"\n' "$ATELIER_API_KEY"
        [ "$1" != POST ] || printf '%s\n' \
          'header = "Content-Type: application/json"' \
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
  451) say 'what to do: nobody may make this image. Do not rephrase it.' && exit 2 ;;
  *) say 'what to do: run this again; if it stays, tell the operator the request_id.' && exit 6 ;;
  esac
}

# The job that was accepted, or that a repeated request was answered with.
accepted_job() {
  id=$(field job_id)
  printf '%s' "${id:-$(field id)}"
}

# Polls a job until it is final; its result is in $answer then.
wait_for_job() {
  seen=
  while :; do
    following=$1
    call GET "/v1/jobs/$1"
    following=
    state=$(field status)
    scenes=$(tr ',' '\n' <"$answer" | sed -n 's/^ *"scenes_completed": *\([0-9]*\).*/, scene \1/p')
    [ "$state$scenes" = "$seen" ] || say "job $1: $state$scenes"
    seen=$state$scenes
    case $state in
    completed) return 0 ;;
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

