import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import { useRef } from "react";

/** A press that lasts longer, or whose end is not reported, delays nothing any more. */
const longestPressMs = 1_000;

const isPressed = atom(false);
let release: ReturnType<typeof setTimeout> | undefined;

function endAfter(ms: number): void {
  clearTimeout(release);
  release = setTimeout(() => isPressed.set(false), ms);
}

addEventListener(
  "pointerdown",
  () => {
    isPressed.set(true);
    endAfter(longestPressMs);
  },
  { capture: true },
);
for (const type of ["pointerup", "pointercancel"] as const) {
  // The click follows the end of the press at once, before timers.
  addEventListener(type, () => isPressed.get() && endAfter(0), { capture: true });
}

/**
 * Calls the action now, or after the click when a pointer is pressed: a page that changes between the
 * press and the release of a button swallows the click.
 *
 * @returns a function that cancels the action.
 */
export function afterPress(action: () => void): () => void {
  if (!isPressed.get()) {
    action();
    return () => undefined;
  }
  const unsubscribe = isPressed.listen(() => {
    unsubscribe();
    action();
  });
  return unsubscribe;
}

/** The value as it was when a pointer was pressed, until it is released. */
export function useHeldWhilePressed<Value>(value: Value): Value {
  const pressed = useStore(isPressed);
  const held = useRef(value);
  if (!pressed) held.current = value;
  return held.current;
}
