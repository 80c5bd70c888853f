import {
  useEffect,
  useId,
  useRef,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
} from "react";
import { texts } from "../../texts.ts";
import { Icon } from "../icons.tsx";
import { Toasts } from "../toast.tsx";
import styles from "./dialog.module.css";

/**
 * A modal dialog, open while it is rendered. Escape, the button and a click outside close it, unless it
 * is not dismissable; the focus then returns to where it was, or if that is gone, to the dialog or the
 * page behind this one.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: "small" | "large" | "full";
  /** False for content that must not be lost: only its own button closes the dialog. */
  readonly isDismissable?: boolean;
  /** Buttons beside the one that closes the dialog. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, onClose, size = "small", isDismissable = true, actions, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusWhatRemains();
    };
  }, []);
  const isPressedOutside = useRef(false);
  // A text that is selected beyond the edge of the dialog ends with a click outside as well.
  function pressOutside(event: MouseEvent): void {
    isPressedOutside.current = event.target === dialog.current;
  }
  function closeOutside(event: MouseEvent): void {
    const isOutside = isPressedOutside.current && event.target === dialog.current;
    if (isDismissable && isOutside) onClose();
  }
  function cancel(event: SyntheticEvent): void {
    if (isOwn(event) && !isDismissable) event.preventDefault();
  }
  function close(event: SyntheticEvent): void {
    if (!isOwn(event)) return;
    if (isDismissable) onClose();
    // Browsers close a dialog at the second Escape, even when the first one was prevented.
    else dialog.current?.showModal();
  }
  return (
    // Escape closes it as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={id}
      onCancel={cancel}
      onClose={close}
      onMouseDown={pressOutside}
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
          {actions}
        </header>
        <div className={styles.body}>{children}</div>
      </div>
      <Toasts />
    </dialog>
  );
}

/** Whether an event is about this dialog: React passes those of a dialog within it, and of file inputs. */
const isOwn = ({ target, currentTarget }: SyntheticEvent) => target === currentTarget;

function focusWhatRemains(): void {
  const behind = [...document.querySelectorAll("dialog[open]")].at(-1);
  const target = behind?.querySelector<HTMLElement>("button") ?? document.getElementById("main");
  target?.focus();
}
