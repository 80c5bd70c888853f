import { Suspense, useRef, useState } from "react";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { hasStyle, withoutStyle } from "./style-text.ts";
import styles from "./style-button.module.css";

const StyleDialog = loadLater(async () => (await import("./style-dialog.tsx")).default);

/** A style that was chosen, with its name in the language of Studio. */
export interface ChosenStyle {
  readonly name: string;
  readonly words: string;
}

/** A button that shows styles, whose words become part of a text, and one that removes those of the chosen style. */
export function StyleButton(props: {
  readonly text: string;
  /** The style that was chosen last; its words may be gone from the text. */
  readonly style: ChosenStyle | null;
  readonly modelId: string | undefined;
  readonly onChange: (text: string, style: ChosenStyle | null) => void;
}) {
  const { text, style, modelId, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={opener} look="ghost" onClick={() => setOpen(true)}>
        <Icon name="brush" size={16} /> {texts.create.style}
      </Button>
      {style !== null && hasStyle(text, style.words) && (
        <Button
          className={styles.chosen}
          aria-label={texts.create.styleEnd(style.name)}
          title={texts.create.styleEnd(style.name)}
          onClick={() => {
            onChange(withoutStyle(text, style.words), null);
            opener.current?.focus();
          }}
        >
          <span dir="auto">{style.name}</span> <Icon name="close" size={14} />
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <StyleDialog {...{ text, modelId, onChange }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
