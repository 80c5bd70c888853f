/** Whether a key is pressed together with one that makes it a shortcut of the browser, such as Alt and Left. */
export function hasModifier(event: {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}): boolean {
  return event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
}
