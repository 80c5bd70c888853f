# Makes an image and saves it:  sh image-generation.sh "a red boat at sunset" boat.png
# Settings: MODEL, ASPECT_RATIO, IMAGE_SIZE, FORMAT (png, jpeg or webp; as the file is called, or png).

prompt=${1:?'usage: sh image-generation.sh <prompt> [file]'}
file=${2:-image.${FORMAT:-png}}

# A format by its name, or by the ending of a file.
known_format() {
  case $(printf '%s' "$1" | tr '[:upper:]' '[:lower:]') in
  png) echo png ;;
  jpg | jpeg) echo jpeg ;;
  webp) echo webp ;;
  *) say "There is no format \"$1\": use png, jpeg or webp." && exit 2 ;;
  esac
}

# Known before the request: a mistake must not be found once the image is paid for.
case ${file##*/} in
*.*) named=$(known_format "${file##*.}") ;;
*) named= ;;
esac
format=$(known_format "${FORMAT:-${named:-png}}")
if [ "${named:-$format}" != "$format" ]; then
  say "$file is the name of a $named, and FORMAT says $format: leave one of them out."
  exit 2
fi

body="{\"model\":$(json_string "${MODEL:-$ATELIER_MODEL}"),\"prompt\":$(json_string "$prompt")"
[ -z "${ASPECT_RATIO:-}" ] || body="$body,\"aspect_ratio\":$(json_string "$ASPECT_RATIO")"
[ -z "${IMAGE_SIZE:-}" ] || body="$body,\"image_size\":$(json_string "$IMAGE_SIZE")"

call POST /v1/generate/image "$body}"
wait_for_job "$(accepted_job)"
save_image "$(field url "\"format\":\"$format\"")" "$file"
say "cost $(field cost_eur) EUR, balance $(field balance_eur) EUR"
printf '%s\n' "$file"
