# Draws a diagram:  sh diagrams.sh "user → API → queue" -o diagram.svg

HAS_SVG=1
{{image_options}}

usage='usage: sh diagrams.sh <words> [options]
       sh diagrams.sh --source <file> --language <language> [options]
  --source <file>         the diagram in a language
  --language <language>   dot (Graphviz), mermaid (flowcharts) or text
  --direction <name>      right or down
  --color <#rrggbb>       a colour: of lines and texts first, then of the shapes; up to 8
  --model <id>            default: {{default_model}}
  --size <size>           such as 1K: the longer edge
  --metadata <name=value> a text of your own, stored with the job; up to 16
  --strictness <name>     normal or liberal
  --format <format>       png, jpeg, webp or svg; default: as the file is called, or png
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same request: it is made and paid for once
  -o, --output <file>     default: image.<format>'

words=
source=
palette=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) printf '%s\n' "$usage" && exit 0 ;;
  --source) take_value "$@" && source=$value && shift ;;
  --language) take_value "$@" && add_text language "$value" && shift ;;
  --direction) take_value "$@" && add_text direction "$value" && shift ;;
  --color) take_value "$@" && palette="$palette${palette:+,}$(json_string "$value")" && shift ;;
  -*) { common_option "$@" || wrong_usage; } && [ -n "$no_value" ] || shift ;;
  *) [ -z "$words" ] && words=$1 || wrong_usage ;;
  esac
  shift
done
case ${words:+words}:${source:+source} in
words:) fields="\"prompt\":$(json_lines "$words")" ;;
:source) fields="\"source\":$(json_lines "$(cat "$source")")" ;;
*) wrong_usage ;;
esac
check_format
[ -z "$palette" ] || body="$body,\"palette\":[$palette]"
make_images diagram "$fields"
