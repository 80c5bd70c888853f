import { useRef, useState } from "react";
import { texts } from "../../texts/keys.ts";
import { Checks } from "../../ui/checks.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { assertLastDay, type KeyDraft } from "./key-draft.ts";
import { LimitFields } from "./limit-fields.tsx";

const scopes = ["generate", "read", "manage"] as const;
const fields = ["name", "scopes", "models", "budget", "budget_id", "expires_at"];

/** Creates or changes a key. */
export function KeyForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: KeyDraft;
  /** Amount that an existing key has spent in the period of its budget. */
  readonly spentEur?: string;
  /** Consequence of a change, shown in the form. */
  readonly note?: string | undefined;
  readonly onSave: (draft: KeyDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, initial, spentEur, note, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const day = useRef<HTMLInputElement>(null);
  return (
    <FormDialog
      title={title}
      action={action}
      fields={fields}
      onClose={onClose}
      onSave={async () => {
        const isComplete = day.current?.validity.badInput !== true;
        assertLastDay(draft, { initial, isComplete, now: Date.now() });
        await onSave(draft);
      }}
    >
      {(problems) => (
        <>
          {note !== undefined && <Notice kind="neutral">{note}</Notice>}
          <TextField
            label={texts.keys.name}
            hint={texts.keys.nameHint}
            problem={problems.at("name")}
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <Checks
            label={texts.keys.scopes}
            options={scopes.map((scope) => ({ value: scope, ...texts.keys.scopeTexts[scope] }))}
            values={draft.scopes}
            onChange={(next) => change({ scopes: next })}
            problem={problems.at("scopes")}
          />
          <LimitFields
            initial={initial}
            draft={draft}
            spentEur={spentEur}
            problems={problems}
            onChange={change}
          />
          <Field
            label={texts.keys.lastDay}
            hint={texts.keys.lastDayHint}
            problem={problems.at("expires_at")}
          >
            {(control) => (
              <input
                {...control}
                ref={day}
                type="date"
                value={draft.lastDay}
                onChange={({ target }) => change({ lastDay: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
