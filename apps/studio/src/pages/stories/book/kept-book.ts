/** Prefix of drafts, which are removed when the account signs out. */
const unsavedKey = (storyId: string) => `atelier.draft.unsaved-book.${storyId}`;

/** Where earlier versions kept the whole book. */
const earlierKey = (storyId: string) => `atelier.draft.book.${storyId}`;

/**
 * Reads the book that this browser has and the account has not: one whose save did not succeed, or else
 * one of an earlier version of Studio, if the account has none.
 *
 * @returns null when there is none.
 */
export function readKept(storyId: string, hasSaved: boolean): unknown {
  return read(unsavedKey(storyId)) ?? (hasSaved ? null : read(earlierKey(storyId)));
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a book in this browser until it is saved in the account. */
export function keepUnsaved(storyId: string, book: object): void {
  try {
    localStorage.setItem(unsavedKey(storyId), JSON.stringify(book));
  } catch {
    // Without storage, changes that are not saved last as long as the page.
  }
}

/** Forgets a book that the account now has. Changes that another page of this browser made since stay. */
export function forgetKept(storyId: string, saved: object): void {
  try {
    localStorage.removeItem(earlierKey(storyId));
    const key = unsavedKey(storyId);
    if (localStorage.getItem(key) === JSON.stringify(saved)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
