import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from "react";
import { texts } from "../texts.ts";
import styles from "./dialog.module.css";
import { Icon } from "./icons.tsx";

/**
 * A modal dialog, open while it is rendered. Escape, the button and a click outside close it, unless it
 * is not dismissable; the focus then returns to where it was.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: "small" | "large" | "full";
  /** False for content that must not be lost: only its own button closes the dialog. */
  readonly isDismissable?: boolean;
  readonly children: ReactNode;
}) {
  const { title, onClose, size = "small", isDismissable = true, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  function closeOutside(event: MouseEvent): void {
    if (isDismissable && event.target === dialog.current) onClose();
  }
  // Browsers close a dialog at the second Escape, even when the first one was prevented.
  const reopen = () => dialog.current?.showModal();
  return (
    // Escape closes it as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={id}
      onCancel={(event) => isDismissable || event.preventDefault()}
      onClose={isDismissable ? onClose : reopen}
      onClick={closeOutside}
    >
      <div className={styles.panel}>
        <header>
          <h2 id={id}>{title}</h2>
          {isDismissable && (
            <button
              type="button"
              className={styles.close}
              onClick={onClose}
              aria-label={texts.common.close}
            >
              <Icon name="close" />
            </button>
          )}
        </header>
        <div className={styles.body}>{children}</div>
      </div>
    </dialog>
  );
}
