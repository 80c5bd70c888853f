/** Whether a key press is meant for the element that has the focus: a field, or anything in a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select, dialog *")
  );
}
