/** Beginnings of the keys under which this browser keeps changes that the account does not have. */
export const unsavedPrefixes = {
  unsaved: "atelier.draft.unsaved-book.",
  /** Set aside, because the account has other changes since. */
  older: "atelier.draft.older-book.",
} as const;

/** Whether this browser keeps changes that the account does not have, also those of pages that were closed. */
export function hasUnsavedDrafts(): boolean {
  try {
    const prefixes = Object.values(unsavedPrefixes);
    return Object.keys(localStorage).some((key) => prefixes.some((one) => key.startsWith(one)));
  } catch {
    // Without storage, nothing is kept.
    return false;
  }
}
