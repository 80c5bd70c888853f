import { useId, useState } from "react";
import { texts } from "../../texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import styles from "./code-dialog.module.css";
import { curlOf, typescriptOf } from "./code-of.ts";
import type { DraftRequest } from "./draft.ts";

const languages = { curl: curlOf, TypeScript: typescriptOf };
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

/** The request of the form as a program sends it. */
export default function CodeDialog(props: {
  readonly request: DraftRequest;
  readonly onClose: () => void;
}) {
  const { request, onClose } = props;
  const [language, setLanguage] = useState<Language>("curl");
  const id = useId();
  const code = languages[language](request, location.origin);
  return (
    <Dialog title={texts.create.codeTitle} onClose={onClose} size="large">
      <div className={styles.languages} role="radiogroup" aria-label={texts.create.language}>
        {names.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name={id}
              checked={name === language}
              onChange={() => setLanguage(name)}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {/* Long lines scroll, so the keyboard must reach them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.code} tabIndex={0}>
        {code}
      </pre>
      <div className={styles.foot}>
        <p>{texts.create.codeHint}</p>
        <CopyButton text={code} name={texts.common.copy} isNamed />
      </div>
    </Dialog>
  );
}
