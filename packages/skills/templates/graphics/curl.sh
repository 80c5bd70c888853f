# Draws a graphic:  sh graphics.sh "a rocket" --kind icon -o rocket.svg

HAS_SVG=1
{{image_options}}

usage="usage: sh graphics.sh <prompt> [options]
  --kind <kind>           icon (default), logo or illustration
  --color <#rrggbb>       a colour to use; up to 8
  --background <colour>   transparent (default) or a colour such as #ffffff
  --aspect-ratio <w:h>    such as 1:1
  --format <format>       png, jpeg, webp or svg; default: as the file is called, or png
$common_usage"

prompt=
kind=icon
palette=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --kind) take_value "$@" && kind=$value && shift ;;
  --color) take_value "$@" && palette="$palette${palette:+,}$(json_string "$value")" && shift ;;
  --background) take_value "$@" && add_text background "$value" && shift ;;
  --aspect-ratio) take_value "$@" && add_text aspect_ratio "$value" && shift ;;
  -*) { common_option "$@" || wrong_usage; } && [ -n "$no_value" ] || shift ;;
  *) [ -z "$prompt" ] && prompt=$1 || wrong_usage ;;
  esac
  shift
done
[ -n "$prompt" ] || wrong_usage
check_format
[ -z "$palette" ] || body="$body,\"palette\":[$palette]"
make_images graphic "\"prompt\":$(json_string "$prompt"),\"kind\":$(json_string "$kind")"
