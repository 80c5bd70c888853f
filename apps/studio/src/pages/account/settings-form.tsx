import type { Account } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { sendJson } from "../../api.ts";
import { problemsOf } from "../../data/field-problems.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import { texts } from "../../texts/account.ts";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";

const fields = ["strictness", "retention_hours", "low_balance_eur"];

/** Changes the settings of the account. */
export function SettingsForm({ account }: { readonly account: Account }) {
  const [strictness, setStrictness] = useState(account.strictness);
  const [hours, setHours] = useState(String(account.retention_hours));
  const [lowBalance, setLowBalance] = useState(account.low_balance_eur ?? "");
  const saving = useMutation({
    mutationFn: (body: object) => sendJson<Account>("PATCH", "/v1/account", { body }),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery.queryKey, changed);
      setHours(String(changed.retention_hours));
      setLowBalance(changed.low_balance_eur ?? "");
      showToast(texts.account.saved);
    },
  });
  const problems = problemsOf(saving.error, fields);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    saving.mutate({
      strictness,
      // A retention that was not changed stays as it is: null means the maximum.
      ...(hours.trim() === String(account.retention_hours)
        ? {}
        : { retention_hours: hours.trim() === "" ? null : Number(hours) }),
      low_balance_eur: lowBalance.trim() === "" ? null : lowBalance.trim(),
    });
  }
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <Choices
        label={texts.create.strictness}
        columns={2}
        options={["normal", "liberal"]}
        value={strictness}
        onChange={(value) => setStrictness(value as Account["strictness"])}
        problem={problems.at("strictness")}
      >
        {(value) => (
          <>
            {texts.create.strictnessNames[value as Account["strictness"]]}
            <small>{texts.account.strictnessHints[value as Account["strictness"]]}</small>
          </>
        )}
      </Choices>
      <div className={form.row}>
        <Field
          label={texts.account.retention}
          hint={texts.account.retentionHint(account.max_retention_hours)}
          problem={problems.at("retention_hours")}
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              value={hours}
              autoComplete="off"
              onChange={({ target }) => setHours(target.value)}
            />
          )}
        </Field>
        <Field
          label={texts.account.lowBalance}
          hint={texts.account.lowBalanceHint}
          problem={problems.at("low_balance_eur")}
        >
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              value={lowBalance}
              autoComplete="off"
              onChange={({ target }) => setLowBalance(target.value)}
            />
          )}
        </Field>
      </div>
      <Problem error={problems.other} />
      <div className={form.buttons}>
        <Button type="submit" look="primary" disabled={saving.isPending}>
          {texts.common.save}
        </Button>
      </div>
    </form>
  );
}
