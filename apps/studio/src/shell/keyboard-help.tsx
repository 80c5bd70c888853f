import { useEffect } from "react";
import { texts } from "../texts.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { commandKey } from "../ui/input/command-key.ts";
import { isTyping } from "../ui/input/is-typing.ts";
import styles from "./shell.module.css";

const { keys } = texts.shell;
const shortcuts: readonly (readonly [name: string, keys: readonly string[]])[] = [
  [keys.generate, [commandKey, "↵"]],
  [keys.previousNext, ["←", "→"]],
  [keys.zoom, ["Z"]],
  [keys.jobs, ["←", "→", "↑", "↓"]],
  [keys.selectAll, [commandKey, "A"]],
  [keys.selectRange, ["⇧", "←", "→"]],
  [keys.undo, [commandKey, "Z"]],
  [keys.moveScene, ["Alt", "↑", "↓"]],
  [keys.close, ["Esc"]],
  [keys.help, ["?"]],
];

/** Lists the shortcuts; the key `?` opens it. */
export function KeyboardHelp(props: {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}) {
  const { isOpen, onChange } = props;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key === "?" && !isTyping(event.target)) onChange(true);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onChange]);
  if (!isOpen) return null;
  return (
    <Dialog title={keys.title} onClose={() => onChange(false)}>
      <dl className={styles.shortcuts}>
        {shortcuts.map(([name, pressed]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
