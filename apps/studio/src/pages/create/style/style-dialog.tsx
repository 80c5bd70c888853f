import type { Preset } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useSession } from "../../../session.ts";
import { texts } from "../../../texts/styles.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { deletePreset, presetsQuery, styleWords } from "../presets-query.ts";
import { builtInStyles, pictureModel } from "./built-in-styles.ts";
import { PresetPicture } from "./preset-picture.tsx";
import type { ChosenStyle } from "./style-button.tsx";
import styles from "./style-dialog.module.css";
import { hasStyle, withoutStyle, withStyle } from "./style-text.ts";

const pictures = import.meta.glob<string>("./pictures/*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});

const names = Object.keys(builtInStyles) as (keyof typeof builtInStyles)[];

/** The styles of the service and of the account. One adds its words to a text, or removes them again. */
export default function StyleDialog(props: {
  readonly text: string;
  readonly modelId: string | undefined;
  readonly onChange: (text: string, style: ChosenStyle | null) => void;
  readonly onClose: () => void;
}) {
  const { text, modelId, onChange, onClose } = props;
  const canRead = useSession().scopes.includes("read");
  const { data: presets, error } = useQuery({ ...presetsQuery, enabled: canRead });
  const own = (presets ?? []).flatMap((preset) => {
    const words = styleWords(preset);
    return words === null ? [] : [{ preset, name: preset.name, words }];
  });
  const [toDelete, setToDelete] = useState<Preset | null>(null);
  const isDrawn = modelId === pictureModel;

  function choose(style: ChosenStyle): void {
    const known = [...Object.values(builtInStyles), ...own.map(({ words }) => words)];
    const plain = known.reduce(withoutStyle, text);
    if (hasStyle(text, style.words)) onChange(plain, null);
    else onChange(withStyle(plain, style.words), style);
    onClose();
  }
  return (
    <Dialog title={texts.styles.title} size="large" onClose={onClose}>
      <div className={styles.styles}>
        <p>{isDrawn ? texts.styles.hint : texts.styles.hintWithoutPictures}</p>
        <ul aria-label={texts.styles.list}>
          {names.map((name) => (
            <li key={name}>
              <Choice
                style={{ name: texts.styles.names[name], words: builtInStyles[name] }}
                language="en"
                text={text}
                onChoose={choose}
              >
                {isDrawn && (
                  <img
                    src={pictures[`./pictures/${name}.webp`]}
                    alt=""
                    width={240}
                    height={240}
                    loading="lazy"
                    decoding="async"
                  />
                )}
              </Choice>
            </li>
          ))}
        </ul>
        {canRead && (
          <>
            <h3>{texts.styles.own}</h3>
            <Problem error={error} />
            {presets !== undefined && own.length === 0 && <p>{texts.styles.noOwn}</p>}
            {own.length > 0 && (
              <ul aria-label={texts.styles.own}>
                {own.map(({ preset, name, words }) => (
                  <li key={preset.id}>
                    <Choice style={{ name, words }} text={text} onChoose={choose}>
                      <PresetPicture data={preset.picture} />
                    </Choice>
                    <Button
                      look="ghost"
                      aria-label={texts.styles.delete(name)}
                      title={texts.styles.delete(name)}
                      onClick={() => setToDelete(preset)}
                    >
                      <Icon name="trash" size={16} />
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      {toDelete !== null && (
        <ConfirmDialog
          title={texts.styles.deleteTitle(toDelete.name)}
          action={texts.styles.deleteAction}
          onConfirm={() => deletePreset(toDelete.id)}
          onClose={() => setToDelete(null)}
        >
          <p>{texts.styles.deleteHint}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

function Choice(props: {
  readonly style: ChosenStyle;
  readonly text: string;
  /** Of the words; by default unknown. */
  readonly language?: string;
  readonly onChoose: (style: ChosenStyle) => void;
  readonly children: ReactNode;
}) {
  const { style, text, language, onChoose, children } = props;
  const isChosen = hasStyle(text, style.words);
  return (
    <button
      type="button"
      className={styles.choice}
      aria-pressed={isChosen}
      onClick={() => onChoose(style)}
    >
      {children}
      <strong dir="auto">
        {style.name}
        {isChosen && <Icon name="check" size={16} />}
      </strong>
      <span dir="auto" lang={language}>
        {style.words}
      </span>
    </button>
  );
}
