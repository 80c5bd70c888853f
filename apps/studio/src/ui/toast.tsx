import { useEffect, useId, useSyncExternalStore } from "react";
import styles from "./toast.module.css";

const shortestMs = 5_000;
/** Slow readers need about 90 ms for each character. */
const msPerCharacter = 90;

let text = "";
/** Where messages can appear, the topmost place last. */
let places: readonly string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function setText(next: string): void {
  text = next;
  notify();
}

function setPlaces(next: readonly string[]): void {
  places = next;
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a short message at the edge of the page until it can be read; screen readers read it out. */
export function showToast(message: string): void {
  clearTimeout(timer);
  setText(message);
  timer = setTimeout(() => setText(""), Math.max(shortestMs, message.length * msPerCharacter));
}

/**
 * Where the messages appear. The page and every open dialog have a place, because a modal dialog covers
 * what is outside of it, also for screen readers; only the topmost place shows the message.
 */
export function Toasts() {
  const id = useId();
  const shown = useSyncExternalStore(subscribe, () => (places.at(-1) === id ? text : ""));
  useEffect(() => {
    setPlaces([...places, id]);
    return () => setPlaces(places.filter((place) => place !== id));
  }, [id]);
  return (
    <div className={styles.toasts} role="status">
      {shown !== "" && <span className={styles.message}>{shown}</span>}
    </div>
  );
}
