import { useEffect, useRef, useSyncExternalStore } from "react";
import styles from "./toast.module.css";

const shownMs = 5_000;
let text = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setText(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a short message at the edge of the page for five seconds; screen readers read it out. */
export function showToast(message: string): void {
  clearTimeout(timer);
  setText(message);
  timer = setTimeout(() => setText(""), shownMs);
}

/** Where the messages appear: in front of everything, also of an open dialog. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => text);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What is shown last is in front, and a status that stays in the page is read out.
    place.current?.hidePopover();
    place.current?.showPopover();
  }, [shown]);
  return (
    <div ref={place} popover="manual" className={styles.toasts} role="status">
      {shown !== "" && <p>{shown}</p>}
    </div>
  );
}
