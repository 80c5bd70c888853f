# Lists jobs, shows one, saves its images, tells the balance:  sh job-history.sh list

HAS_SVG=1
usage='usage: sh job-history.sh <command>
  list [filters]      newest first
    --limit <n>             default: 20
    --status <status>       pending, processing, completed, failed or cancelled
    --kind <kind>           image or story
    --model <id>            of this model
    --words <text>          with all of these words
    --metadata <name=value> with this text in the metadata
  show <job id>       the whole job, as JSON
  save <job id> [-o <folder>] [--format png|jpeg|webp|svg]   waits for it, and saves its images
  archive <job id> [-o <folder>] [--format png|jpeg|webp]    its images as one ZIP file
  balance             what is left to spend'

# A text in a URL: every byte but letters, digits and "-_.~" as %XX.
url_text() {
  printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'
}

command=
job_id=
folder=.
query=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --limit) take_value "$@" && LIMIT=$value && shift ;;
  --status | --kind | --model) take_value "$@" && query="$query&${1#--}=$(url_text "$value")" && shift ;;
  --words) take_value "$@" && query="$query&q=$(url_text "$value")" && shift ;;
  --metadata)
    take_value "$@" && pair=$value && shift
    query="$query&metadata.$(url_text "${pair%%=*}")=$(url_text "${pair#*=}")"
    ;;
  --format) take_value "$@" && FORMAT=$value && shift ;;
  -o | --output) take_value "$@" && folder=$value && shift ;;
  -*) wrong_usage ;;
  *) if [ -z "$command" ]; then command=$1; elif [ -z "$job_id" ]; then job_id=$1; else wrong_usage; fi ;;
  esac
  shift
done
case $command:$job_id in
list: | balance: | show:?* | save:?* | archive:?*) ;;
*) wrong_usage ;;
esac
format=$(known_format "${FORMAT:-png}")

case $command in
list)
  call GET "/v1/jobs?limit=${LIMIT:-20}$query"
  cat "$answer"
  ;;
balance)
  call GET /v1/account
  printf '%s EUR to spend, %s EUR held for unfinished jobs\n' "$(field balance_eur)" "$(field held_eur)"
  ;;
show)
  call GET "/v1/jobs/$job_id"
  cat "$answer"
  ;;
archive)
  wait_for_job "$job_id"
  mkdir -p "$folder"
  call GET "/v1/jobs/$job_id/archive?format=$format"
  cp "$answer" "$folder/$job_id.zip"
  printf '%s\n' "$folder/$job_id.zip"
  ;;
save)
  wait_for_job "$job_id"
  mkdir -p "$folder"
  image_urls "$format" >"$request"
  count=$(wc -l <"$request")
  number=0
  while read -r url; do
    number=$((number + 1))
    suffix=
    [ "$count" -eq 1 ] || suffix=-$number
    save_image "$url" "$folder/$job_id$suffix.$format"
    printf '%s\n' "$folder/$job_id$suffix.$format"
  done <"$request"
  ;;
esac
