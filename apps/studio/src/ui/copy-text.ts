/**
 * Copies a text to the clipboard. The clipboard API exists only over HTTPS and on localhost; on other
 * addresses, the text is copied out of a field that is added for that moment.
 *
 * @param near an element of the same dialog: fields outside of an open dialog cannot be selected.
 * @throws Error when the browser refuses.
 */
export async function copyText(text: string, near: HTMLElement): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  near.after(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("the browser did not allow copying");
}
