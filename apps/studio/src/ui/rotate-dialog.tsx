import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { texts } from "../texts/secret.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import form from "./form.module.css";
import { Problem } from "./problem.tsx";

const graceHours = [0, 1, 24, 72, 168] as const;

/** Asks how long the old secret stays valid beside the new one. */
export function RotateDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly onRotate: (graceHours: number) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, text, onRotate, onClose } = props;
  const [hours, setHours] = useState(24);
  const rotating = useMutation({ mutationFn: onRotate });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    rotating.mutate(hours);
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <p>{text}</p>
        <Field label={texts.secret.overlap}>
          {(control) => (
            <select
              {...control}
              value={hours}
              onChange={({ target }) => setHours(Number(target.value))}
            >
              {graceHours.map((count) => (
                <option key={count} value={count}>
                  {texts.secret.overlaps[count]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Problem error={rotating.error} />
        <div className={form.buttons}>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={rotating.isPending}>
            {texts.secret.rotate}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
