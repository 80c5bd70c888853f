# Makes images and saves them:  sh image-generation.sh "a red boat at sunset" -o boat.png
# Settings in place of options: MODEL, ASPECT_RATIO, IMAGE_SIZE, FORMAT, IDEMPOTENCY_KEY.

{{image_options}}

usage="usage: sh image-generation.sh <prompt> [options]
  --aspect-ratio <w:h>    such as 16:9
  --background <name>     opaque or transparent
  --after <step>          upscale:2 (to 4) or remove-background; several times
  --reference <image> --reference-description <text>   an image to go by: a file, an HTTPS URL
                          or a job id; up to 5 such pairs
  --format <format>       png, jpeg or webp; default: as the file is called, or png
$common_usage"

prompt=
after=
reference=
references=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --aspect-ratio) take_value "$@" && ASPECT_RATIO=$value && shift ;;
  --background) take_value "$@" && add_text background "$value" && shift ;;
  --after) take_value "$@" && after="$after${after:+,}$(json_string "$value")" && shift ;;
  --reference) take_value "$@" && reference=$value && shift ;;
  --reference-description)
    take_value "$@" && description=$value && shift
    [ -n "$reference" ] || wrong_usage
    source=$(image_source "$reference")
    references="$references${references:+,}{$source,\"description\":$(json_string "$description")}"
    reference=
    ;;
  -*) { common_option "$@" || wrong_usage; } && [ -n "$no_value" ] || shift ;;
  *) if [ -z "$prompt" ]; then prompt=$1; elif [ -z "$file" ]; then file=$1; else wrong_usage; fi ;;
  esac
  shift
done
[ -n "$prompt" ] && [ -z "$reference" ] || wrong_usage
check_format
[ -z "${ASPECT_RATIO:-}" ] || add_text aspect_ratio "$ASPECT_RATIO"
[ -z "$after" ] || body="$body,\"after\":[$after]"
[ -z "$references" ] || body="$body,\"reference_images\":[$references]"
make_images image "\"prompt\":$(json_string "$prompt")"
