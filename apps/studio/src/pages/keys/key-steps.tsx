import type { ApiKey, ChangedKey } from "@atelier/schemas";
import { useQueryClient } from "@tanstack/react-query";
import { call, signIn } from "../../api.ts";
import { keysQuery } from "../../data/account-queries.ts";
import { checkChange } from "../../data/check-change.ts";
import { texts } from "../../texts/keys.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { RotateDialog } from "../../ui/dialogs/rotate-dialog.tsx";
import { SecretDialog } from "../../ui/dialogs/secret-dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import { bodyOf, changesOf, draftOf, newDraft } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import type { KeyAction } from "./key-item.tsx";

type MintedKey = ApiKey & { readonly key: string };

/** The open dialog and its key. */
export type KeyStep =
  | { readonly kind: "create" }
  | { readonly kind: KeyAction; readonly key: ApiKey }
  | { readonly kind: "minted"; readonly key: MintedKey };

/** Says what ended with a key or its rights, if anything did. */
function showEnded({ ended }: ChangedKey): void {
  if (ended.keys + ended.webhooks + ended.sessions > 0) showToast(texts.keys.ended(ended));
}

/** The dialog of a step. */
export function KeySteps(props: {
  readonly step: KeyStep;
  /** The key that this browser is signed in with. */
  readonly ownKeyId: string | null;
  readonly onStep: (change: (now: KeyStep | null) => KeyStep | null) => void;
}) {
  const { step, ownKeyId, onStep } = props;
  const queryClient = useQueryClient();
  // A step that is over by then does not close the next one.
  const close = () => onStep((now) => (now === step ? null : now));
  const refresh = () => queryClient.invalidateQueries(keysQuery);

  const check = <Result,>(change: Promise<Result>) =>
    checkChange(change, { gone: texts.keys.gone, refresh });

  /** Shows the key before anything else is requested, which may fail. */
  async function show(minted: MintedKey): Promise<void> {
    onStep(() => ({ kind: "minted", key: minted }));
    // The session contains the old key, which may have ended.
    if (minted.id === ownKeyId) await signIn({ key: minted.key });
    void refresh();
  }

  switch (step.kind) {
    case "create":
      return (
        <KeyForm
          title={texts.keys.create}
          action={texts.keys.create}
          initial={newDraft(Date.now())}
          onClose={close}
          onSave={async (draft) =>
            show(await check(call("POST /v1/keys", { body: bodyOf(draft) })))
          }
        />
      );
    case "edit":
      return (
        <KeyForm
          title={texts.keys.editName(step.key.name)}
          action={texts.common.save}
          initial={draftOf(step.key)}
          spentEur={step.key.spent_eur}
          note={step.key.id === ownKeyId ? texts.keys.editOwn : undefined}
          onClose={close}
          onSave={async (draft) => {
            const body = changesOf(draft, step.key);
            showEnded(await check(call("PATCH /v1/keys/{id}", { id: step.key.id, body })));
            await refresh();
            close();
          }}
        />
      );
    case "rotate":
      return (
        <RotateDialog
          title={texts.keys.rotateName(step.key.name)}
          text={step.key.id === ownKeyId ? texts.keys.rotateOwn : texts.keys.rotateText}
          onClose={close}
          onRotate={async (hours) => {
            const body = { grace_hours: hours };
            await show(await check(call("POST /v1/keys/{id}/rotate", { id: step.key.id, body })));
          }}
        />
      );
    case "revoke":
      return (
        <ConfirmDialog
          title={texts.keys.revokeName(step.key.name)}
          action={texts.keys.revokeName(step.key.name)}
          onConfirm={async () => {
            showEnded(await check(call("DELETE /v1/keys/{id}", { id: step.key.id })));
            await refresh();
          }}
          onClose={close}
        >
          {step.key.id === ownKeyId && (
            <p>
              <strong>{texts.keys.revokeOwn}</strong>
            </p>
          )}
          <p>{texts.keys.revokeText}</p>
        </ConfirmDialog>
      );
    case "minted":
      return (
        <SecretDialog
          title={texts.keys.minted(step.key.name)}
          secret={step.key.key}
          copyName={texts.keys.copy}
          onClose={close}
        />
      );
  }
}
