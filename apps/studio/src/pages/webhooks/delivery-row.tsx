import type { WebhookDelivery } from "@atelier/schemas";
import { formatExactTime } from "../../format.ts";
import { texts } from "../../texts/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import styles from "./webhooks.module.css";

type Attempt = WebhookDelivery["attempt_log"][number];

const kinds = { delivered: "good", pending: "accent", failed: "bad" } as const;

/** A delivery with the outcome of each attempt, and when it is tried next. */
export function DeliveryRow(props: {
  readonly delivery: WebhookDelivery;
  readonly canSend: boolean;
  readonly onResend: () => void;
}) {
  const { delivery, canSend, onResend } = props;
  const { type, status, next_attempt_at: next } = delivery;
  const created = formatExactTime(delivery.created_at);
  // The first attempt follows by itself.
  const isWaiting = status === "pending" && delivery.attempts === 0;
  return (
    <tr>
      <td className={styles.event}>
        {type}
        <small className={styles.minor}>{created}</small>
      </td>
      <td>
        <Badge kind={kinds[status]}>
          {status === "pending" && delivery.attempts > 0
            ? texts.webhooks.retrying
            : texts.webhooks.states[status]}
        </Badge>
        <Attempts delivery={delivery} />
        {next !== null && !isWaiting && (
          <small className={styles.minor}>
            {texts.webhooks.nextAttempt(formatExactTime(next))}
          </small>
        )}
      </td>
      <td>
        {!isWaiting && (
          <Button
            look="ghost"
            className={styles.again}
            disabled={!canSend}
            title={texts.webhooks.resend}
            aria-label={texts.webhooks.resendOf(type, created)}
            onClick={onResend}
          >
            <Icon name="repeat" size={16} />
            <span className={styles.resend}>{texts.webhooks.resend}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

function Attempts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { attempts, attempt_log: log, error, response_status: status } = delivery;
  if (attempts === 0) {
    // A delivery fails without an attempt when its webhook is disabled.
    const reason = error === null ? texts.webhooks.notTried : asSentence(error);
    return <small className={styles.minor}>{reason}</small>;
  }
  const last = outcomeOf({ error, response_status: status });
  if (log.length === 0) return <small className={styles.minor}>{last}</small>;
  return (
    <details className={styles.attempts}>
      <summary>
        {last} · {texts.webhooks.attempts(attempts)}
      </summary>
      <ol>
        {log.map((attempt) => (
          <li key={attempt.at}>
            <span className="num">{formatExactTime(attempt.at)}</span> {outcomeOf(attempt)}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The status of the response, or why there was none. */
function outcomeOf({ error, response_status: status }: Omit<Attempt, "at">): string {
  if (error !== null) return asSentence(error);
  return status === null ? "" : texts.webhooks.responded(status);
}

/** Errors begin in lower case. */
function asSentence(error: string): string {
  return error.charAt(0).toUpperCase() + error.slice(1);
}
