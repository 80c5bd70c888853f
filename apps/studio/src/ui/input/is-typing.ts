/** Whether a key press is meant for the field that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select, dialog *")
  );
}
