# Makes a story and saves its scenes:  sh story-generation.sh story.json lighthouse
# Without a file it makes a story of two scenes, to show what such a file holds.

folder=${2:-.}
if [ -n "${1:-}" ]; then
  body=$(cat "$1")
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

call POST /v1/generate/story "$body"
wait_for_job "$(accepted_job)"
mkdir -p "$folder"
number=0
for url in $(fields image_url); do
  number=$((number + 1))
  save_image "$url" "$folder/scene-$number.png"
  printf '%s\n' "$folder/scene-$number.png"
done
say "cost $(field cost_eur) EUR, balance $(field balance_eur) EUR"
