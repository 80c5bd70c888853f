import type { Webhook as WebhookData } from "@atelier/schemas";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { ApiError, call } from "../../api.ts";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/webhooks.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { RotateDialog } from "../../ui/dialogs/rotate-dialog.tsx";
import { SecretDialog } from "../../ui/dialogs/secret-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Deliveries } from "./deliveries.tsx";
import { bodyOf, WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";
import styles from "./webhooks.module.css";

/** The open dialog. */
type Step =
  | { readonly kind: "edit" | "rotate" | "delete" }
  | { readonly kind: "rotated"; readonly secret: string };

/** Time between two reads of a webhook that fails, in milliseconds. */
const failingRefreshMs = 15_000;

/** The page of one webhook with its deliveries. */
export default function Webhook() {
  const { id = "" } = useParams();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const {
    data: webhook,
    error,
    refetch,
  } = useQuery({
    queryKey: ["webhooks", id],
    queryFn: ({ signal }) => call("GET /v1/webhooks/{id}", { id, signal }),
    // The next delivery may end the failure.
    refetchInterval: ({ state: { data: known } }) =>
      known === undefined || known.failing_since === null ? false : failingRefreshMs,
  });
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  /** Waits for a change. After it the webhook is read again: another tab may have deleted it. */
  const refreshAfter = <Result,>(change: Promise<Result>) => change.finally(() => void refresh());
  const update = (body: Partial<ReturnType<typeof bodyOf> & Pick<WebhookData, "enabled">>) =>
    refreshAfter(call("PATCH /v1/webhooks/{id}", { id, body }));
  const switching = useMutation({
    mutationFn: (enabled: boolean) => update({ enabled }),
  });

  if (isMissing(error)) {
    return (
      <Page title={texts.pages.webhook}>
        <EmptyState icon="hook" title={texts.webhooks.missing} hint={texts.webhooks.missingHint}>
          <Link href="/webhooks" asChild>
            <ButtonLink>{texts.webhooks.all}</ButtonLink>
          </Link>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={texts.pages.webhook}
      lead={<Link href="/webhooks">{texts.webhooks.all}</Link>}
      actions={
        webhook !== undefined && (
          <>
            <Button onClick={() => setStep({ kind: "edit" })}>{texts.webhooks.edit}</Button>
            <Button onClick={() => setStep({ kind: "rotate" })}>{texts.webhooks.rotate}</Button>
            <Button
              disabled={switching.isPending}
              onClick={() => switching.mutate(!webhook.enabled)}
            >
              {webhook.enabled ? texts.webhooks.disable : texts.webhooks.enable}
            </Button>
            <Button look="danger" onClick={() => setStep({ kind: "delete" })}>
              {texts.webhooks.delete}
            </Button>
          </>
        )
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      <Problem error={switching.error} />
      {webhook === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {webhook !== undefined && (
        <>
          <Facts webhook={webhook} />
          <Deliveries webhookId={webhook.id} isEnabled={webhook.enabled} />
        </>
      )}

      {webhook !== undefined && step?.kind === "edit" && (
        <WebhookForm
          title={texts.webhooks.edit}
          action={texts.common.save}
          initial={{ ...webhook, description: webhook.description ?? "" }}
          onClose={close}
          onSave={async (draft) => {
            await update(bodyOf(draft));
            close();
          }}
        />
      )}
      {step?.kind === "rotate" && (
        <RotateDialog
          title={texts.webhooks.rotate}
          text={texts.webhooks.rotateText}
          onClose={close}
          onRotate={async (hours) => {
            const body = { grace_hours: hours };
            const { secret } = await refreshAfter(
              call("POST /v1/webhooks/{id}/rotate-secret", { id, body }),
            );
            setStep({ kind: "rotated", secret });
          }}
        />
      )}
      {step?.kind === "rotated" && (
        <SecretDialog
          title={texts.webhooks.rotated}
          secret={step.secret}
          copyName={texts.webhooks.copySecret}
          onClose={close}
        >
          <p>{texts.webhooks.secretText}</p>
        </SecretDialog>
      )}
      {webhook !== undefined && step?.kind === "delete" && (
        <ConfirmDialog
          title={texts.webhooks.deleteOf(webhook.url)}
          action={texts.webhooks.delete}
          onClose={close}
          onConfirm={async () => {
            await call("DELETE /v1/webhooks/{id}", { id }).catch((problem: unknown) => {
              // Another tab may have deleted it.
              if (!isMissing(problem)) throw problem;
            });
            navigate("/webhooks");
            // Only the list: reading the deleted webhook again would fail.
            await queryClient.invalidateQueries({ queryKey: ["webhooks"], exact: true });
          }}
        >
          <p>{texts.webhooks.deleteText}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Facts({ webhook }: { readonly webhook: WebhookData }) {
  return (
    <dl className={styles.facts}>
      <div className={styles.broad}>
        <dt>{texts.webhooks.url}</dt>
        <dd>{webhook.url}</dd>
      </div>
      <div>
        <dt>{texts.webhooks.state}</dt>
        <dd>
          <WebhookState webhook={webhook} />
        </dd>
      </div>
      <div>
        <dt>{texts.webhooks.events}</dt>
        <dd>{webhook.events.join(", ")}</dd>
      </div>
      {webhook.description !== null && (
        <div>
          <dt>{texts.webhooks.description}</dt>
          <dd>{webhook.description}</dd>
        </div>
      )}
      <div>
        <dt>{texts.webhooks.createdAt}</dt>
        <dd className="num">{formatTime(webhook.created_at)}</dd>
      </div>
    </dl>
  );
}
