import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../api.ts";
import { useSingleMutation } from "../../data/use-single-mutation.ts";
import { texts } from "../../texts/webhooks.ts";
import { Button, MoreButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import type { WebhookDelivery } from "@atelier/schemas";

/** How often deliveries are read again: while one is pending, and otherwise. */
const refreshMs = { pending: 3_000, idle: 15_000 };

/** The deliveries of a webhook in the last days. */
export function Deliveries(props: { readonly webhookId: string; readonly isEnabled: boolean }) {
  const { webhookId, isEnabled } = props;
  const queryClient = useQueryClient();
  const queryKey = ["webhooks", webhookId, "deliveries"];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call("GET /v1/webhooks/{id}/deliveries", {
        id: webhookId,
        query: { limit: 20, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state: { data: known, error: failure } }) =>
      failure === null && known?.pages.some((page) => page.deliveries.some(isPending))
        ? refreshMs.pending
        : refreshMs.idle,
  });
  const { data, error, refetch } = list;
  useEffect(() => {
    // What was delivered changes the state of the webhook.
    if (data !== undefined)
      void queryClient.invalidateQueries({ queryKey: ["webhooks", webhookId], exact: true });
  }, [data, queryClient, webhookId]);
  const sending = useSingleMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    // The webhook as well: another tab may have disabled or deleted it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["webhooks", webhookId] }),
  });
  const canSend = isEnabled && !sending.isPending;
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  const test = (
    <Button
      disabled={!canSend}
      onClick={() => sending.mutate(() => call("POST /v1/webhooks/{id}/test", { id: webhookId }))}
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
      <Problem error={error} onRetry={() => void refetch()} />
      <Problem error={sending.error} />
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
              <th scope="col">{texts.webhooks.event}</th>
              <th scope="col">{texts.webhooks.delivery}</th>
              <th scope="col">
                <span className="sr">{texts.webhooks.resend}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                canSend={canSend}
                onResend={() =>
                  sending.mutate(() => call("POST /v1/deliveries/{id}/retry", { id: delivery.id }))
                }
              />
            ))}
          </tbody>
        </Table>
      )}
      <MoreButton list={list} />
    </Section>
  );
}

function isPending({ status }: WebhookDelivery): boolean {
  return status === "pending";
}
