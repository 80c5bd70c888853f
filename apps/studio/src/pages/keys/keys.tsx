import type { ApiKey } from "@atelier/schemas";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sendJson } from "../../api.ts";
import { keysQuery } from "../../data/account-queries.ts";
import { accountQuery } from "../../data/queries.ts";
import { texts } from "../../texts/keys.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { RotateDialog } from "../../ui/rotate-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { bodyOf, changesOf, draftOf, newDraft } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyItem, type KeyAction } from "./key-item.tsx";
import { stateOf } from "./key-limit.ts";
import styles from "./keys.module.css";

type MintedKey = ApiKey & { readonly key: string };

/** What is done now. */
type Step =
  | { readonly kind: "create" }
  | { readonly kind: KeyAction; readonly key: ApiKey }
  | { readonly kind: "minted"; readonly key: MintedKey };

/** The page with the keys of the account. */
export default function Keys() {
  const queryClient = useQueryClient();
  const { data: keys, error, refetch } = useQuery(keysQuery);
  const { data: account } = useQuery(accountQuery);
  const [step, setStep] = useState<Step | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [openedAt] = useState(Date.now);
  const close = () => setStep(null);
  const live = keys?.filter((key) => stateOf(key, openedAt) === "live") ?? [];
  const ended = (keys?.length ?? 0) - live.length;

  /** Sends a change and reads the list again. */
  async function send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const result = await sendJson<Result>(method, `/v1/keys${path}`, { body });
    await queryClient.invalidateQueries(keysQuery);
    return result;
  }

  return (
    <Page
      title={texts.pages.keys}
      lead={texts.keys.lead}
      actions={
        keys !== undefined && (
          <Button look="primary" onClick={() => setStep({ kind: "create" })}>
            <Icon name="plus" size={16} /> {texts.keys.create}
          </Button>
        )
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {keys === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {keys !== undefined && live.length === 0 && (
        <EmptyState icon="key" title={texts.keys.empty} hint={texts.keys.emptyHint}>
          <Button look="primary" onClick={() => setStep({ kind: "create" })}>
            {texts.keys.create}
          </Button>
        </EmptyState>
      )}
      {keys !== undefined && (showsAll ? keys : live).length > 0 && (
        <ul className={styles.list}>
          {(showsAll ? keys : live).map((key) => (
            <KeyItem
              key={key.id}
              value={key}
              balanceEur={account?.balance_eur}
              now={openedAt}
              onAction={(kind) => setStep({ kind, key })}
            />
          ))}
        </ul>
      )}
      {ended > 0 && (
        <div>
          <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? texts.keys.hideEnded : texts.keys.showEnded(ended)}
          </Button>
        </div>
      )}

      {step?.kind === "create" && (
        <KeyForm
          title={texts.keys.create}
          action={texts.keys.create}
          initial={newDraft(openedAt)}
          onClose={close}
          onSave={async (draft) => {
            setStep({ kind: "minted", key: await send<MintedKey>("POST", "", bodyOf(draft)) });
          }}
        />
      )}
      {step?.kind === "edit" && (
        <KeyForm
          title={texts.keys.editName(step.key.name)}
          action={texts.common.save}
          initial={draftOf(step.key)}
          onClose={close}
          onSave={async (draft) => {
            await send("PATCH", `/${step.key.id}`, changesOf(draft, step.key));
            close();
          }}
        />
      )}
      {step?.kind === "rotate" && (
        <RotateDialog
          title={texts.keys.rotateName(step.key.name)}
          text={texts.keys.rotateText}
          onClose={close}
          onRotate={async (hours) => {
            const body = { grace_hours: hours };
            const key = await send<MintedKey>("POST", `/${step.key.id}/rotate`, body);
            setStep({ kind: "minted", key });
          }}
        />
      )}
      {step?.kind === "revoke" && (
        <ConfirmDialog
          title={texts.keys.revokeName(step.key.name)}
          action={texts.keys.revokeName(step.key.name)}
          onConfirm={() => send("DELETE", `/${step.key.id}`)}
          onClose={close}
        >
          <p>{texts.keys.revokeText}</p>
        </ConfirmDialog>
      )}
      {step?.kind === "minted" && (
        <SecretDialog
          title={texts.keys.minted(step.key.name)}
          secret={step.key.key}
          copyName={texts.keys.copy}
          onClose={close}
        />
      )}
    </Page>
  );
}
