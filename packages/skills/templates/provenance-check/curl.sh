# Tells whether files were made by this account:  sh provenance-check.sh picture.png
# Exit code 0: all were made here and are unchanged. 10: at least one was not found among the jobs.

usage='usage: sh provenance-check.sh <file>... [options]
  --pages <n>   how many pages of 100 jobs to look through, newest first; default: 20'

# Looks for one file among the jobs.
check_file() {
  if command -v sha256sum >/dev/null; then
    hash=$(sha256sum <"$1")
  elif command -v shasum >/dev/null; then
    hash=$(shasum -a 256 <"$1")
  else
    hash=$(openssl dgst -sha256 -r <"$1")
  fi
  hash=${hash%% *}
  page=0
  cursor=
  while [ "$page" -lt "${PAGES:-20}" ]; do
    page=$((page + 1))
    call GET "/v1/jobs?limit=100&status=completed$cursor"
    if grep -q "\"$hash\"" "$answer"; then
      printf 'made here and unchanged: %s\n' "$hash"
      return 0
    fi
    next=$(field next_cursor)
    [ -n "$next" ] || break
    cursor="&cursor=$next"
  done
  printf 'not found among the jobs: %s\n' "$hash"
  missing=1
}

# Options first, so that they count wherever they are.
files=0
expects_pages=
for argument in "$@"; do
  if [ -n "$expects_pages" ]; then
    PAGES=$argument expects_pages=
    continue
  fi
  case $argument in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --pages) expects_pages=1 ;;
  -*) wrong_usage ;;
  *) files=$((files + 1)) ;;
  esac
done
[ "$files" -gt 0 ] && [ -z "$expects_pages" ] || wrong_usage

missing=
while [ $# -gt 0 ]; do
  case $1 in
  --pages) shift ;;
  *) check_file "$1" ;;
  esac
  shift
done
[ -n "$missing" ] || exit 0
say 'what to do: that proves nothing; the file may have been changed since. Check its C2PA manifest.'
exit 10
