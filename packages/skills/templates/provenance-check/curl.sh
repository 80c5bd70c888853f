# Tells whether a file was made by this account:  sh provenance-check.sh picture.png
# Exit code 0: made here and unchanged. 10: not found among the jobs (PAGES of 100, default 20).

file=${1:?'usage: sh provenance-check.sh <file>'}
if command -v sha256sum >/dev/null; then
  hash=$(sha256sum <"$file")
elif command -v shasum >/dev/null; then
  hash=$(shasum -a 256 <"$file")
else
  hash=$(openssl dgst -sha256 -r <"$file")
fi
hash=${hash%% *}

page=0
cursor=
while [ "$page" -lt "${PAGES:-20}" ]; do
  page=$((page + 1))
  call GET "/v1/jobs?limit=100&status=completed$cursor"
  if grep -q "\"$hash\"" "$answer"; then
    printf 'made here and unchanged: %s\n' "$hash"
    exit 0
  fi
  next=$(field next_cursor)
  [ -n "$next" ] || break
  cursor="&cursor=$next"
done
printf 'not found among the jobs: %s\n' "$hash"
say 'what to do: that proves nothing; the file may have been changed since. Check its C2PA manifest.'
exit 10
