import { useRef, useSyncExternalStore } from "react";

/** A press that lasts longer, or whose end is not reported, delays nothing any more. */
const longestPressMs = 1_000;

let isPressed = false;
let release: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setPressed(next: boolean): void {
  if (isPressed === next) return;
  isPressed = next;
  for (const listener of listeners) listener();
}

function endAfter(ms: number): void {
  clearTimeout(release);
  release = setTimeout(() => setPressed(false), ms);
}

addEventListener(
  "pointerdown",
  () => {
    setPressed(true);
    endAfter(longestPressMs);
  },
  { capture: true },
);
for (const type of ["pointerup", "pointercancel"] as const) {
  // The click follows the end of the press at once, before timers.
  addEventListener(type, () => isPressed && endAfter(0), { capture: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls the action now, or after the click when a pointer is pressed: a page that changes between the
 * press and the release of a button swallows the click.
 *
 * @returns a function that cancels the action.
 */
export function afterPress(action: () => void): () => void {
  if (!isPressed) {
    action();
    return () => undefined;
  }
  const unsubscribe = subscribe(() => {
    unsubscribe();
    action();
  });
  return unsubscribe;
}

/** The value as it was when a pointer was pressed, until it is released. */
export function useHeldWhilePressed<Value>(value: Value): Value {
  const pressed = useSyncExternalStore(subscribe, () => isPressed);
  const held = useRef(value);
  if (!pressed) held.current = value;
  return held.current;
}
