import type { ReactNode } from "react";
import { texts } from "../../texts/secret.ts";
import { Button } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import styles from "../form.module.css";
import { Notice } from "../notice.tsx";
import { Dialog } from "./dialog.tsx";

/** Shows a secret that cannot be read again. Only its button closes it. */
export function SecretDialog(props: {
  readonly title: string;
  readonly secret: string;
  /** Label of the copy button, such as "Copy the key". */
  readonly copyName: string;
  /** Advice on the secret; by default to store it. */
  readonly advice?: string;
  /** The text of the button that closes the dialog; "I have stored it" by default. */
  readonly done?: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const { title, secret, copyName, onClose, children } = props;
  const { advice = texts.secret.once, done = texts.secret.saved } = props;
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false}>
      <div className={styles.form}>
        <Notice kind="neutral">{advice}</Notice>
        <code className={styles.secret}>{secret}</code>
        {children}
        <div className={styles.buttons}>
          <CopyButton text={secret} name={copyName} isNamed />
          <Button look="primary" onClick={onClose}>
            {done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
