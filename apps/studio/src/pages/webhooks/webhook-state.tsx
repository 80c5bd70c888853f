import type { Webhook } from "@atelier/schemas";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";

/** Whether a webhook receives events, and whether deliveries arrive. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { disabled_reason: reason, failing_since: failingSince } = webhook;
  if (reason !== null)
    return <Badge kind="neutral">{texts.webhooks.disabledReasons[reason]}</Badge>;
  if (failingSince === null) return <Badge kind="good">{texts.webhooks.enabled}</Badge>;
  return <Badge kind="bad">{texts.webhooks.failingSince(formatTime(failingSince))}</Badge>;
}
