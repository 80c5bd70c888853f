import { useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError } from "../../api.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import styles from "./sign-in.module.css";

/** Whether an error refuses the key that was entered: a problem of its field, which others are not. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof ApiError && [400, 401, 403].includes(error.status);
}

/** The form that takes a key, with the focus in its field. */
export function KeyEntry(props: {
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly look: "primary" | "plain";
  /** Why the key was refused; undefined if it was not. */
  readonly problem: string | undefined;
  readonly isPending: boolean;
  readonly onEnter: (key: string) => void;
}) {
  const { label, hint, placeholder, look, problem, isPending, onEnter } = props;
  const [key, setKey] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  function submit(event: FormEvent): void {
    event.preventDefault();
    onEnter(key.trim());
  }
  return (
    <form className={styles.entry} onSubmit={submit}>
      <Field label={label} hint={hint} problem={problem}>
        {(control) => (
          <input
            {...control}
            ref={field}
            type="password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            placeholder={placeholder}
            autoComplete="current-password"
            spellCheck={false}
            required
          />
        )}
      </Field>
      <Button look={look} isBig type="submit" disabled={isPending}>
        {isPending ? texts.signIn.signingIn : texts.signIn.submit}
      </Button>
    </form>
  );
}
