import type { Webhook } from "@atelier/schemas";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { call } from "../../api.ts";
import { webhooksQuery } from "../../data/account-queries.ts";
import { texts } from "../../texts/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { SecretDialog } from "../../ui/dialogs/secret-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { bodyOf, newWebhook, WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";
import styles from "./webhooks.module.css";

type Created = Webhook & { readonly secret: string };

/** The page with the webhooks of the account. */
export default function Webhooks() {
  const queryClient = useQueryClient();
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" size={16} /> {texts.webhooks.create}
    </Button>
  );
  return (
    <Page
      title={texts.pages.webhooks}
      lead={texts.webhooks.lead}
      actions={webhooks !== undefined && webhooks.length > 0 && create}
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {webhooks === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {webhooks?.length === 0 && (
        <EmptyState icon="hook" title={texts.webhooks.empty} hint={texts.webhooks.emptyHint}>
          {create}
        </EmptyState>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={styles.list}>
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <Link href={`/webhooks/${webhook.id}`} className={styles.item}>
                <span className={styles.url}>{webhook.url}</span>
                <WebhookState webhook={webhook} />
                <small>
                  {webhook.description !== null && <>{webhook.description} · </>}
                  {webhook.events.join(", ")}
                </small>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <WebhookForm
          title={texts.webhooks.create}
          action={texts.webhooks.create}
          initial={newWebhook}
          onClose={() => setCreating(false)}
          onSave={async (draft) => {
            const body = bodyOf(draft);
            try {
              setCreated(await call("POST /v1/webhooks", { body }));
              setCreating(false);
            } finally {
              // Also after a response that was lost: the webhook may exist.
              void queryClient.invalidateQueries(webhooksQuery);
            }
          }}
        />
      )}
      {created !== null && (
        <SecretDialog
          title={texts.webhooks.created}
          secret={created.secret}
          copyName={texts.webhooks.copySecret}
          onClose={() => setCreated(null)}
        >
          <p>{texts.webhooks.secretText}</p>
        </SecretDialog>
      )}
    </Page>
  );
}
