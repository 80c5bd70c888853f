# Makes an image and saves it:  sh image-generation.sh "a red boat at sunset" boat.png
# Settings: MODEL, ASPECT_RATIO, IMAGE_SIZE, FORMAT (png, jpeg or webp).

prompt=${1:?'usage: sh image-generation.sh <prompt> [file]'}
format=${FORMAT:-png}
file=${2:-image.$format}

body="{\"model\":$(json_string "${MODEL:-$ATELIER_MODEL}"),\"prompt\":$(json_string "$prompt")"
[ -z "${ASPECT_RATIO:-}" ] || body="$body,\"aspect_ratio\":$(json_string "$ASPECT_RATIO")"
[ -z "${IMAGE_SIZE:-}" ] || body="$body,\"image_size\":$(json_string "$IMAGE_SIZE")"

call POST /v1/generate/image "$body}"
wait_for_job "$(accepted_job)"
save_image "$(field url "\"format\":\"$format\"")" "$file"
say "cost $(field cost_eur) EUR, balance $(field balance_eur) EUR"
printf '%s\n' "$file"
