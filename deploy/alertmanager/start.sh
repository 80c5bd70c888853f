#!/bin/sh
# Writes the configuration of Alertmanager from ALERT_… variables, and starts it: a webhook, mail, or both.
# $1: folder for the configuration, further arguments: the command that starts Alertmanager.
set -eu
folder=$1
shift

# A YAML string in double quotes.
quoted() {
  printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

umask 077
{
  cat <<'END'
route:
  receiver: operators
  group_by: [alertname]
  group_wait: 10s
  group_interval: 5m
  repeat_interval: 4h
receivers:
  - name: operators
END
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    printf '    webhook_configs:\n      - url: %s\n        send_resolved: true\n' "$(quoted "$ALERT_WEBHOOK_URL")"
  fi
  if [ -n "${ALERT_MAIL_TO:-}" ]; then
    printf '    email_configs:\n      - to: %s\n' "$(quoted "$ALERT_MAIL_TO")"
    printf '        from: %s\n' "$(quoted "${ALERT_MAIL_FROM:-$ALERT_MAIL_TO}")"
    printf '        smarthost: %s\n' "$(quoted "${ALERT_SMTP_HOST:?must name the mail server, such as mail.example.com:587, because ALERT_MAIL_TO is set}")"
    printf '        require_tls: %s\n        send_resolved: true\n' "${ALERT_SMTP_TLS:-true}"
    if [ -n "${ALERT_SMTP_USER:-}" ]; then
      printf '        auth_username: %s\n' "$(quoted "$ALERT_SMTP_USER")"
      printf '        auth_password: %s\n' "$(quoted "${ALERT_SMTP_PASSWORD:-}")"
    fi
  fi
} > "$folder/alertmanager.yml"

if [ -z "${ALERT_WEBHOOK_URL:-}${ALERT_MAIL_TO:-}" ]; then
  echo "Nobody is told of alerts: set ALERT_WEBHOOK_URL or ALERT_MAIL_TO." >&2
fi
exec "$@" "--config.file=$folder/alertmanager.yml"
