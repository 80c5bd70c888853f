import type { WebhookDelivery } from "@atelier/schemas";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { send, sendJson } from "../../api.ts";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./webhooks.module.css";

interface DeliveryPage {
  readonly deliveries: WebhookDelivery[];
  readonly next_cursor: string | null;
}

/** How often deliveries are read again while one is pending. */
const refreshMs = 3_000;

const kinds = { delivered: "good", pending: "accent", failed: "bad" } as const;

/** What was sent to a webhook in the last days. */
export function Deliveries(props: { readonly webhookId: string; readonly isEnabled: boolean }) {
  const { webhookId, isEnabled } = props;
  const queryClient = useQueryClient();
  const queryKey = ["webhooks", webhookId, "deliveries"];
  const path = `/v1/webhooks/${webhookId}/deliveries?limit=20`;
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam, signal }) =>
        sendJson<DeliveryPage>("GET", path + (pageParam === null ? "" : `&cursor=${pageParam}`), {
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next_cursor,
      refetchInterval: ({ state: { data: known, error: failure } }) =>
        failure === null && known?.pages.some((page) => page.deliveries.some(isPending))
          ? refreshMs
          : false,
    },
  );
  const sending = useMutation({
    mutationFn: (target: string) => send("POST", target),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  const test = (
    <Button
      disabled={!isEnabled || sending.isPending}
      onClick={() => sending.mutate(`/v1/webhooks/${webhookId}/test`)}
    >
      <Icon name="spark" size={16} /> {texts.webhooks.test}
    </Button>
  );
  return (
    <Section
      title={texts.webhooks.deliveries}
      lead={texts.webhooks.deliveriesLead}
      actions={deliveries.length > 0 && test}
    >
      <Problem error={error ?? sending.error} onRetry={() => void refetch()} />
      {data !== undefined && deliveries.length === 0 && (
        <EmptyState
          icon="hook"
          title={texts.webhooks.noDeliveries}
          hint={isEnabled ? texts.webhooks.noDeliveriesHint : texts.webhooks.disabledHint}
        >
          {test}
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <Table name={texts.webhooks.deliveries}>
          <thead>
            <tr>
              <th scope="col">{texts.webhooks.state}</th>
              <th scope="col">{texts.webhooks.event}</th>
              <th scope="col">{texts.webhooks.lastAttempt}</th>
              <th scope="col">{texts.webhooks.nextAttempt}</th>
              <th scope="col">
                <span className="sr">{texts.webhooks.resend}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <td>
                  <Badge kind={kinds[delivery.status]}>
                    {texts.webhooks.states[delivery.status]}
                  </Badge>
                </td>
                <td>
                  <span className={styles.event}>{delivery.type}</span>
                  <small className={styles.minor}>{formatTime(delivery.created_at)}</small>
                </td>
                <td>
                  <Attempt delivery={delivery} />
                </td>
                <td className={styles.time}>
                  {delivery.next_attempt_at === null ? "–" : formatTime(delivery.next_attempt_at)}
                </td>
                <td>
                  {!isPending(delivery) && (
                    <Button
                      look="ghost"
                      disabled={!isEnabled || sending.isPending}
                      aria-label={texts.webhooks.resendOf(
                        delivery.type,
                        formatTime(delivery.created_at),
                      )}
                      onClick={() => sending.mutate(`/v1/deliveries/${delivery.id}/retry`)}
                    >
                      <Icon name="repeat" size={16} /> {texts.webhooks.resend}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {hasNextPage && (
        <div>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.common.more}
          </Button>
        </div>
      )}
    </Section>
  );
}

function isPending({ status }: WebhookDelivery): boolean {
  return status === "pending";
}

/** The last attempt with the status of its response, or why there was none. */
function Attempt({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { attempts, last_attempt_at: at, response_status: status, error } = delivery;
  if (at === null) return <>{texts.webhooks.notTried}</>;
  const reason = error === null ? null : error.charAt(0).toUpperCase() + error.slice(1);
  const outcome = reason ?? (status === null ? null : texts.webhooks.responded(status));
  return (
    <>
      {outcome}
      <small className={styles.minor}>
        {texts.webhooks.attempts(attempts)}, {formatTime(at)}
      </small>
    </>
  );
}
