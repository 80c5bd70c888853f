/** The element of a part of the form, such as a character, by the id of the part. */
export function elementIdOf(partId: string): string {
  return `part-${partId}`;
}

/** Moves the focus to the first field of a part that was just added. */
export function focusAdded(partId: string): void {
  requestAnimationFrame(() => {
    document
      .getElementById(elementIdOf(partId))
      ?.querySelector<HTMLElement>("input:not([type=file], [type=checkbox]), textarea")
      ?.focus();
  });
}

/**
 * Keeps the focus in its place after a part was removed: at the next part, else at the last one,
 * and in an empty list at the button that adds a part.
 *
 * @param list the parts before the removal.
 * @param addId id of the button.
 */
export function focusAfterRemoval(
  list: readonly { readonly id: string }[],
  removedId: string,
  addId: string,
): void {
  const index = list.findIndex(({ id }) => id === removedId);
  const next = list[index + 1] ?? list[index - 1];
  requestAnimationFrame(() =>
    document.getElementById(next === undefined ? addId : elementIdOf(next.id))?.focus(),
  );
}
