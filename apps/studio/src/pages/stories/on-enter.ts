import type { KeyboardEvent } from "react";

/**
 * Generates at Ctrl or Cmd and Enter in a form with a price. Enter alone does nothing in an input, where
 * browsers would submit the form.
 */
export function onEnter(event: KeyboardEvent, generate: () => void): void {
  const { key, target, nativeEvent } = event;
  if (key !== "Enter" || nativeEvent.isComposing || !(target instanceof HTMLElement)) return;
  // React passes events of a dialog to the component that opened it.
  const dialog = target.closest("dialog");
  if (dialog !== null && !dialog.contains(event.currentTarget)) return;
  if (event.metaKey || event.ctrlKey) {
    event.preventDefault();
    generate();
  } else if (target instanceof HTMLInputElement && target.type !== "file") {
    event.preventDefault();
  }
}
