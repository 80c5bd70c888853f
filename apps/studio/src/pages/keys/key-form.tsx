import type { BudgetPeriod } from "@atelier/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { problemsOf } from "../../data/field-problems.ts";
import { modelsQuery } from "../../data/queries.ts";
import { texts } from "../../texts/keys.ts";
import { Button } from "../../ui/button.tsx";
import { Checks } from "../../ui/checks.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Problem } from "../../ui/problem.tsx";
import type { KeyDraft } from "./key-draft.ts";

const scopes = ["generate", "read", "manage"] as const;
const periods = ["total", "day", "month"] as const;
const fields = ["name", "scopes", "models", "budget", "expires_at"];

/** Creates or changes a key. */
export function KeyForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: KeyDraft;
  readonly onSave: (draft: KeyDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, initial, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: models = [] } = useQuery(modelsQuery);
  const saving = useMutation({ mutationFn: onSave });
  const problems = problemsOf(saving.error, fields);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    saving.mutate(draft);
  }
  // A key may name models that are retired by now.
  const choices = [...new Set([...models.map(({ id }) => id), ...initial.models])];
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        <Field label={texts.keys.name} hint={texts.keys.nameHint} problem={problems.at("name")}>
          {(control) => (
            <input
              {...control}
              value={draft.name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Checks
          label={texts.keys.scopes}
          options={scopes.map((scope) => ({ value: scope, ...texts.keys.scopeTexts[scope] }))}
          values={draft.scopes}
          onChange={(next) => change({ scopes: next })}
          problem={problems.at("scopes")}
        />
        <Checks
          label={texts.keys.budget}
          options={[{ value: "on", name: texts.keys.hasBudget, hint: texts.keys.hasBudgetHint }]}
          values={draft.hasBudget ? ["on"] : []}
          onChange={(values) => change({ hasBudget: values.length > 0 })}
        />
        {draft.hasBudget && (
          <div className={form.row}>
            <Field label={texts.keys.budgetEur} problem={problems.at("budget")}>
              {(control) => (
                <input
                  {...control}
                  inputMode="decimal"
                  value={draft.budgetEur}
                  autoComplete="off"
                  onChange={({ target }) => change({ budgetEur: target.value })}
                />
              )}
            </Field>
            <Field label={texts.keys.budgetPeriod}>
              {(control) => (
                <select
                  {...control}
                  value={draft.budgetPeriod}
                  onChange={({ target }) => change({ budgetPeriod: target.value as BudgetPeriod })}
                >
                  {periods.map((period) => (
                    <option key={period} value={period}>
                      {texts.keys.periods[period]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
        )}
        <Checks
          label={texts.keys.models}
          options={[{ value: "all", name: texts.keys.allModels }]}
          values={draft.hasAllModels ? ["all"] : []}
          onChange={(values) => change({ hasAllModels: values.length > 0 })}
          problem={draft.hasAllModels ? problems.at("models") : undefined}
        />
        {!draft.hasAllModels && (
          <Checks
            label={texts.keys.onlyModels}
            options={choices.map((id) => ({ value: id, name: id }))}
            values={draft.models}
            onChange={(next) => change({ models: next })}
            problem={problems.at("models")}
          />
        )}
        <Field
          label={texts.keys.lastDay}
          hint={texts.keys.lastDayHint}
          problem={problems.at("expires_at")}
        >
          {(control) => (
            <input
              {...control}
              type="date"
              value={draft.lastDay}
              onChange={({ target }) => change({ lastDay: target.value })}
            />
          )}
        </Field>
        <Problem error={problems.other} />
        <div className={form.buttons}>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={saving.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
