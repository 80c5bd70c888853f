import { useState, type SubmitEvent } from "react";
import { texts } from "../../texts/verify.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { readHash } from "../../ui/use-transfers.ts";
import styles from "./verify.module.css";

/** Looks up a file of which only the hash is known. */
export function HashForm(props: {
  readonly initial: string;
  readonly onHash: (sha256: string) => void;
}) {
  const [text, setText] = useState(props.initial);
  // The address of the page may contain a wrong one.
  const [isWrong, setWrong] = useState(text !== "" && readHash(text) === null);
  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const hash = readHash(text);
    setWrong(hash === null);
    if (hash !== null) props.onHash(hash);
  }
  return (
    <form className={styles.hashForm} noValidate onSubmit={onSubmit}>
      <h2>{texts.verify.hashTitle}</h2>
      <div>
        <Field
          label={texts.verify.hash}
          hint={texts.verify.hashHint}
          problem={isWrong ? texts.verify.hashProblem : undefined}
        >
          {(control) => (
            <input
              {...control}
              value={text}
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => {
                setText(target.value);
                setWrong(false);
              }}
            />
          )}
        </Field>
        <Button type="submit">{texts.verify.hashButton}</Button>
      </div>
    </form>
  );
}
