import { useState, type ComponentProps, type KeyboardEvent } from "react";
import { Button } from "../button.tsx";
import { TextField } from "../text-field.tsx";

/**
 * A name and a button that takes it, as Enter does. Not a form: a dialog of a form would be a form within
 * it, and send both.
 */
export function NameEntry(
  props: {
    readonly action: string;
    readonly isPending: boolean;
    readonly onEnter: (name: string) => void;
  } & Pick<ComponentProps<typeof TextField>, "label" | "hint">,
) {
  const { label, hint, action, isPending, onEnter } = props;
  const [text, setText] = useState("");
  const name = text.trim();
  function enter(): void {
    if (name !== "" && !isPending) onEnter(name);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.nativeEvent.isComposing) enter();
  }
  return (
    // Enter in the field does what the button does.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <TextField {...{ label, hint }} maxLength={100} value={text} onChange={setText} />
      <Button disabled={name === "" || isPending} onClick={enter}>
        {action}
      </Button>
    </div>
  );
}
