import { useState } from "react";
import { texts } from "../../texts/secret.ts";
import { Field } from "../field.tsx";
import { FormDialog } from "./form-dialog.tsx";

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
  return (
    <FormDialog
      title={title}
      action={texts.secret.rotate}
      onSave={() => onRotate(hours)}
      onClose={onClose}
    >
      {() => (
        <>
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
        </>
      )}
    </FormDialog>
  );
}
