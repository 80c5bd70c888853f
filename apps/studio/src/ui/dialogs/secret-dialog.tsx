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
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const { title, secret, copyName, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false}>
      <div className={styles.form}>
        <Notice kind="neutral">{texts.secret.once}</Notice>
        <code className={styles.secret}>{secret}</code>
        {children}
        <div className={styles.buttons}>
          <CopyButton text={secret} name={copyName} isNamed />
          <Button look="primary" onClick={onClose}>
            {texts.secret.saved}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
