# Changes images and combines them:  sh image-editing.sh edit "at night" bay.png -o night.png

{{image_options}}

usage="usage: sh image-editing.sh edit <prompt> <image> [options]
       sh image-editing.sh combine <prompt> [options]
  An image is a file, an HTTPS URL, a job id, or <job id>:2 for its third image.
  --mask <image>          of edit: white marks what to change; the size of the image
  --strength <number>     of edit: 0 keeps the image, 1 replaces it
  --image <image> --description <text>   of combine: an image and what it shows; 2 to 5 such pairs
  --aspect-ratio <w:h>    of combine: such as 16:9
  --format <format>       png, jpeg or webp; default: as the file is called, or png
$common_usage"

command=
prompt=
source=
mask=
image=
images=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --mask) take_value "$@" && mask=$value && shift ;;
  --strength) take_value "$@" && add_number strength "$value" && shift ;;
  --aspect-ratio) take_value "$@" && add_text aspect_ratio "$value" && shift ;;
  --image) take_value "$@" && image=$value && shift ;;
  --description)
    take_value "$@" && description=$value && shift
    [ -n "$image" ] || wrong_usage
    part=$(image_source "$image")
    images="$images${images:+,}{$part,\"description\":$(json_string "$description")}"
    image=
    ;;
  -*) { common_option "$@" || wrong_usage; } && [ -n "$no_value" ] || shift ;;
  *) if [ -z "$command" ]; then command=$1; elif [ -z "$prompt" ]; then prompt=$1; elif [ -z "$source" ]; then source=$1; else wrong_usage; fi ;;
  esac
  shift
done
[ -n "$prompt" ] && [ -z "$image" ] || wrong_usage
check_format
fields="\"prompt\":$(json_string "$prompt")"
case $command in
edit)
  [ -n "$source" ] && [ -z "$images" ] || wrong_usage
  source=$(image_source "$source")
  if [ -n "$mask" ]; then
    mask=$(image_source "$mask")
    body="$body,\"mask\":{$mask}"
  fi
  make_images edit "$fields,\"image\":{$source}"
  ;;
combine)
  [ -z "$source$mask" ] || wrong_usage
  make_images combine "$fields,\"images\":[$images]"
  ;;
*) wrong_usage ;;
esac
