import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../button.tsx";
import styles from "../form.module.css";
import { Problem } from "../problem.tsx";
import { Dialog } from "./dialog.tsx";

/** Asks before an action that cannot be undone. Its name says what happens to what. */
export function ConfirmDialog(props: {
  readonly title: string;
  /** The text of the button, such as `Revoke "CI"`. */
  readonly action: string;
  /** The text of the button that changes nothing; "Cancel" by default. */
  readonly keep?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { title, action, keep = texts.common.cancel, onConfirm, onClose, children } = props;
  const confirming = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.form}>
        {children}
        <Problem error={confirming.error} />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{keep}</Button>
          <Button look="danger" disabled={confirming.isPending} onClick={() => confirming.mutate()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
