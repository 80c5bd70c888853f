import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { Icon } from "./icons.tsx";
import { showToast } from "./toast.tsx";

/** Copies a text. */
export function CopyButton(props: {
  readonly text: string;
  /** Label of the button, such as "Copy the SHA-256". */
  readonly name: string;
  /** Whether the name is visible or only read out. */
  readonly isNamed?: boolean;
}) {
  const { text, name, isNamed = false } = props;
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === text;
  async function copy(button: HTMLElement): Promise<void> {
    await copyText(text, button);
    setCopied(text);
    showToast(texts.common.copied);
  }
  return (
    <Button
      look={isNamed ? "plain" : "ghost"}
      aria-label={name}
      title={name}
      onClick={({ currentTarget }) =>
        void copy(currentTarget).catch(() => showToast(texts.common.notCopied))
      }
    >
      <Icon name={isCopied ? "check" : "copy"} size={16} />
      {isNamed && name}
    </Button>
  );
}
