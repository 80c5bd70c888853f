import { useState, type FormEvent } from "react";
import { texts } from "../texts/console.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./console.module.css";

/** A field that searches with Enter or its button. */
export function SearchForm(props: {
  readonly label: string;
  readonly hint: string;
  /** The text that is searched for. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const { label, hint, value, onSearch } = props;
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // Going back changes the text that is searched for.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSearch(text.trim());
  }
  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <TextField type="search" label={label} value={text} onChange={setText} maxLength={200} />
      <Button type="submit" look="primary" className={styles.go}>
        {texts.console.search}
      </Button>
      <p>{hint}</p>
    </form>
  );
}
