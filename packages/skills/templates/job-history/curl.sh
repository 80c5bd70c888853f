# Lists jobs, or saves the images of one:  sh job-history.sh  |  sh job-history.sh <job id> [folder]

if [ -z "${1:-}" ]; then
  call GET /v1/account
  say "balance $(field balance_eur) EUR, held $(field held_eur) EUR"
  call GET "/v1/jobs?limit=${LIMIT:-20}"
  cat "$answer"
  exit 0
fi

folder=${2:-.}
wait_for_job "$1"
mkdir -p "$folder"
number=0
for url in $(fields image_url); do
  number=$((number + 1))
  save_image "$url" "$folder/$1-$number.png"
  printf '%s\n' "$folder/$1-$number.png"
done
