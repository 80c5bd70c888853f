import { useId, useState } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import styles from "./code-dialog.module.css";
import { curlOf, typescriptOf } from "./code-of.ts";
import type { DraftRequest } from "./draft.ts";

const languages = { curl: curlOf, TypeScript: typescriptOf };
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

/** A button that shows the request of the form as a program sends it. */
export function CodeDialog({ request }: { readonly request: DraftRequest }) {
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<Language>("curl");
  const id = useId();
  const code = languages[language](request, location.origin);
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)}>
        <Icon name="code" size={16} /> {texts.create.code}
      </Button>
      {isOpen && (
        <Dialog title={texts.create.codeTitle} onClose={() => setOpen(false)} size="large">
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
      )}
    </>
  );
}
