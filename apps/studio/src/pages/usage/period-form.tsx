import { useState, type SubmitEvent } from "react";
import { texts } from "../../texts/usage.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import type { Period } from "./period.ts";

/** Chooses the first and the last day. */
export function PeriodDialog(props: {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
  readonly onClose: () => void;
}) {
  const [period, setPeriod] = useState(props.period);
  const isReversed = period.from > period.to;
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isReversed || period.from === "" || period.to === "") return;
    props.onChange(period);
    props.onClose();
  }
  return (
    <Dialog title={texts.usage.choosePeriod} onClose={props.onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        <div className={form.row}>
          <Field label={texts.usage.from} problem={isReversed ? texts.usage.reversed : undefined}>
            {(control) => (
              <input
                {...control}
                type="date"
                value={period.from}
                onChange={({ target }) => setPeriod({ ...period, from: target.value })}
              />
            )}
          </Field>
          <Field label={texts.usage.to}>
            {(control) => (
              <input
                {...control}
                type="date"
                value={period.to}
                onChange={({ target }) => setPeriod({ ...period, to: target.value })}
              />
            )}
          </Field>
        </div>
        <p>{texts.usage.utc}</p>
        <div className={form.buttons}>
          <Button type="submit" look="primary">
            {texts.usage.show}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
