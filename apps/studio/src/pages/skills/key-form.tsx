import type { FileFormat, FileTemplate } from "@atelier/schemas";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { keysQuery } from "../../data/account-queries.ts";
import { writeAmount } from "../../data/amounts.ts";
import { problemsOf } from "../../data/field-problems.ts";
import { useSingleMutation } from "../../data/use-single-mutation.ts";
import { AmountField } from "../../form/amount-field.tsx";
import { texts } from "../../texts/skills.ts";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import form from "../../ui/form.module.css";
import { Icon } from "../../ui/icons.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { ShownFile } from "./read-skill-file.ts";
import { createFile, type KeyDraft } from "./skill-requests.ts";

const fields = ["key.name", "key.budget_eur", "key.expires_in_days"];

/** Chooses the key of a file, and makes the file. */
export function KeyForm(props: {
  readonly template: FileTemplate;
  readonly format: FileFormat;
  readonly onFile: (file: ShownFile, hasKey: boolean) => void;
}) {
  const { template, format, onFile } = props;
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<KeyDraft>({
    isLimited: true,
    name: texts.skills.keyName(texts.skills.formats[format].assistant),
    budgetEur: writeAmount("2.00"),
    days: "30",
  });
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const creating = useSingleMutation({
    mutationFn: (wanted: KeyDraft) => createFile(template, format, wanted),
    onSuccess: (file, { isLimited }) => onFile(file, isLimited),
    // Also after a response that was lost: the key may exist.
    onSettled: () => queryClient.invalidateQueries(keysQuery),
  });
  const problems = problemsOf(creating.error, fields);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    creating.mutate(draft);
  }
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <Choices
        label={texts.skills.keyChoice}
        columns={2}
        options={["limited", "none"]}
        value={draft.isLimited ? "limited" : "none"}
        onChange={(value) => change({ isLimited: value === "limited" })}
      >
        {(value) => (value === "limited" ? texts.skills.limitedKey : texts.skills.noKey)}
      </Choices>
      {draft.isLimited ? (
        <div className={form.row}>
          <TextField
            label={texts.skills.name}
            problem={problems.at("key.name")}
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <AmountField
            label={texts.skills.budget}
            problem={problems.at("key.budget_eur")}
            value={draft.budgetEur}
            onChange={(budgetEur) => change({ budgetEur })}
          />
          <TextField
            label={texts.skills.days}
            hint={texts.skills.daysHint}
            problem={problems.at("key.expires_in_days")}
            inputMode="numeric"
            value={draft.days}
            onChange={(days) => change({ days })}
          />
        </div>
      ) : (
        <p>{texts.skills.noKeyText}</p>
      )}
      <Problem error={problems.other} />
      <div className={form.buttons}>
        <Button type="submit" look="primary" disabled={creating.isPending}>
          <Icon name="download" size={16} />
          {draft.isLimited ? texts.skills.createAndDownload : texts.skills.download}
        </Button>
      </div>
    </form>
  );
}
