import { useEffect, useRef, type ReactNode, type SubmitEvent } from "react";
import { problemsOf, type Problems } from "../../data/field-problems.ts";
import { useSingleMutation } from "../../data/use-single-mutation.ts";
import { texts } from "../../texts.ts";
import { Button } from "../button.tsx";
import form from "../form.module.css";
import { Problem } from "../problem.tsx";
import { Dialog } from "./dialog.tsx";

/** A form in a dialog. It stays open with the problems of a refused request. */
export function FormDialog(props: {
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly action: string;
  /** Paths of the fields that show their problem themselves. */
  readonly fields?: readonly string[];
  /** Sends the form. It closes the dialog, or shows what is next. */
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: (problems: Problems) => ReactNode;
}) {
  const { title, action, fields = [], onSave, onClose, children } = props;
  const saving = useSingleMutation({ mutationFn: onSave });
  const problems = problemsOf(saving.error, fields);
  const content = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The dialog opens before, with the focus on its first button.
    const field = content.current?.querySelector<HTMLElement>("input, select, textarea");
    if (field?.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea")) {
      field.focus();
    }
  }, []);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={content} className={form.form} noValidate onSubmit={submit}>
        {children(problems)}
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
