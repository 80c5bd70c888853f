# What the scripts that make images have in common.

common_usage='  --model <id>            default: {{default_model}}
  --size <size>           such as 1K
  --n <number>            1 to 10 images of the prompt, each at the price of one
  --seed <number>         the same seed makes the same or a similar image
  --negative <text>       what the image must not show
  --metadata <name=value> a text of your own, stored with the job; up to 16
  --strictness <name>     normal or liberal
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same request: it is made and paid for once
  -o, --output <file>     default: image.<format>; several images are numbered'

file=
quote=
metadata=
body=

# add_text NAME VALUE, add_number NAME VALUE: adds a field to the request.
add_text() { body="$body,\"$1\":$(json_string "$2")"; }
add_number() {
  case $2 in
  '' | *[!0-9.]*) say "--$1 must be a number." && exit 2 ;;
  esac
  body="$body,\"$1\":$2"
}

# common_option "$@": reads the option that comes first. It has a value, except for --quote, which sets
# no_value. Fails for an option that is not a common one.
common_option() {
  no_value=
  case $1 in
  --quote) quote=1 no_value=1 && return ;;
  --model | --size | --n | --seed | --negative | --metadata | --strictness | --format | --idempotency-key | -o | --output)
    take_value "$@"
    ;;
  *) return 1 ;;
  esac
  case $1 in
  --model) MODEL=$value ;;
  --size) IMAGE_SIZE=$value ;;
  --n) add_number n "$value" ;;
  --seed) add_number seed "$value" ;;
  --negative) add_text negative_prompt "$value" ;;
  --metadata)
    case $value in
    ?*=*) metadata="$metadata${metadata:+,}$(json_string "${value%%=*}"):$(json_string "${value#*=}")" ;;
    *) say "--metadata $value: write it as name=value." && exit 2 ;;
    esac
    ;;
  --strictness) add_text strictness "$value" ;;
  --format) FORMAT=$value ;;
  --idempotency-key) IDEMPOTENCY_KEY=$value ;;
  -o | --output) file=$value ;;
  esac
}

# image_source IMAGE: the source of an image in a request: an HTTPS URL, the id of a job, or
# <job id>:2 for its third image, or a file, which is uploaded and kept for a day.
image_source() {
  case $1 in
  http://* | https://*) printf '"url":%s' "$(json_string "$1")" && return ;;
  ????????-????-????-????-????????????) printf '"job_id":"%s"' "$1" && return ;;
  ????????-????-????-????-????????????:[0-9]) printf '"job_id":"%s","image":%s' "${1%:*}" "${1##*:}" && return ;;
  esac
  case $(printf '%s' "${1##*.}" | tr '[:upper:]' '[:lower:]') in
  png) type=image/png ;;
  jpg | jpeg) type=image/jpeg ;;
  webp) type=image/webp ;;
  *) say "$1 is no HTTPS URL, no job id and no PNG, JPEG or WebP file." && exit 2 ;;
  esac
  cp "$1" "$request"
  IDEMPOTENCY_KEY= send_request POST /v1/uploads "$type"
  printf '"upload_id":"%s"' "$(field id)"
}

# check_format: sets $format and $file. A mistake must not be found once the image is paid for.
check_format() {
  file=${file:-image.${FORMAT:-png}}
  case ${file##*/} in
  *.*) named=$(known_format "${file##*.}") ;;
  *) named= ;;
  esac
  format=$(known_format "${FORMAT:-${named:-png}}")
  if [ "${named:-$format}" != "$format" ]; then
    say "$file is the name of a $named, and FORMAT says $format: leave one of them out."
    exit 2
  fi
}

# make_images OPERATION FIELDS: requests images with these fields and those of the options, and saves
# them, or prints their price.
make_images() {
  [ -z "${IMAGE_SIZE:-}" ] || add_text image_size "$IMAGE_SIZE"
  [ -z "$metadata" ] || body="$body,\"metadata\":{$metadata}"
  body="{\"model\":$(json_string "${MODEL:-$ATELIER_MODEL}"),$2$body}"
  if [ -n "$quote" ]; then
    call POST /v1/quotes "{\"operation\":\"$1\",\"request\":$body}"
    printf '%s EUR of %s EUR\n' "$(field price_eur)" "$(field balance_eur)"
    return
  fi
  call POST "/v1/generate/$1" "$body"
  wait_for_job "$(accepted_job)"
  image_urls "$format" >"$request"
  [ -s "$request" ] || {
    say "The model gave no $format. Read the job for its other formats."
    exit 2
  }
  say "cost $(field cost_eur) EUR, balance $(field balance_eur) EUR"
  count=$(($(wc -l <"$request")))
  number=0
  while read -r url; do
    number=$((number + 1))
    saved=$file
    case $count:${file##*/} in
    1:*) ;;
    *:*.*) saved=${file%.*}-$number.${file##*.} ;;
    *) saved=$file-$number ;;
    esac
    save_image "$url" "$saved"
    printf '%s\n' "$saved"
  done <"$request"
}
