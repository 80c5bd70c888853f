# Makes a story and saves its scenes:  sh story-generation.sh story.json -o lighthouse
# Without a file it makes a story of two scenes, to show what such a file holds.

usage='usage: sh story-generation.sh [story.json] [options]
  --model <id>            for the story of two scenes; a file names its own
  --format <format>       png (default), jpeg or webp
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same story: it is made and paid for once
  -o, --output <folder>   default: <job id>'

story=
quote=
folder=
seen_story=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --model) take_value "$@" && MODEL=$value && shift ;;
  --quote) quote=1 ;;
  --format) take_value "$@" && FORMAT=$value && shift ;;
  --idempotency-key) take_value "$@" && IDEMPOTENCY_KEY=$value && shift ;;
  -o | --output) take_value "$@" && folder=$value && shift ;;
  -*) wrong_usage ;;
  *) if [ -z "$seen_story" ]; then story=$1 seen_story=1; elif [ -z "$folder" ]; then folder=$1; else wrong_usage; fi ;;
  esac
  shift
done
format=$(known_format "${FORMAT:-png}")
# Before the request: the files of two stories must not mix.
for scene in "$folder"/scene-*; do
  [ -z "$folder" ] || [ ! -e "$scene" ] || {
    say "$folder has scenes of another story: name a new folder."
    exit 2
  }
done
if [ -n "$story" ]; then
  body=$(cat "$story")
else
  body=$(
    cat <<STORY
{
  "model": $(json_string "${MODEL:-$ATELIER_MODEL}"),
  "style": "soft watercolour",
  "characters": [
    { "name": "Mira", "description": "a girl of ten with long red hair and a green coat" }
  ],
  "scenes": [
    { "prompt": "Mira waves from the rocks", "characters": [{ "name": "Mira" }] },
    { "prompt": "Mira carries a lamp up the stairs", "characters": [{ "name": "Mira" }] }
  ]
}
STORY
  )
fi

if [ -n "$quote" ]; then
  call POST /v1/quotes "{\"operation\":\"story\",\"request\":$body}"
  printf '%s EUR of %s EUR\n' "$(field price_eur)" "$(field balance_eur)"
  exit 0
fi
call POST /v1/generate/story "$body"
id=$(accepted_job)
folder=${folder:-$id}
wait_for_job "$id"
mkdir -p "$folder"
number=0
for url in $(image_urls "$format"); do
  number=$((number + 1))
  file=$folder/scene-$(printf '%02d' "$number").$format
  save_image "$url" "$file"
  printf '%s\n' "$file"
done
say "cost $(field cost_eur) EUR, balance $(field balance_eur) EUR"
