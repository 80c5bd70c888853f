import { unsavedPrefixes } from "../../../data/unsaved-drafts.ts";

const unsavedKey = (storyId: string) => unsavedPrefixes.unsaved + storyId;

/** Changes that were not saved before the book of the account changed elsewhere. */
const olderKey = (storyId: string) => unsavedPrefixes.older + storyId;

/** Where earlier versions kept the whole book. */
const earlierKey = (storyId: string) => `atelier.draft.book.${storyId}`;

/** A book that is not saved yet. */
interface Unsaved {
  /** The book of the account at the first change. */
  readonly base: unknown;
  readonly book: object;
}

/** The part of a book that this browser has and the account has not. */
interface Kept {
  /** Changes of the book that the account has. */
  readonly unsaved: object | null;
  /** Changes of an older book than that of the account, which must not replace it unasked. */
  readonly older: object | null;
}

/**
 * Reads what this browser kept: a book whose save did not succeed, or one of an earlier version of
 * Studio, if the account has none. Sets changes of an older book aside.
 *
 * @param saved the book of the account.
 */
export function openKept(storyId: string, saved: unknown): Kept {
  const kept = read(unsavedKey(storyId));
  let unsaved: object | null = null;
  if (kept === null) {
    unsaved = saved === null ? read(earlierKey(storyId)) : null;
  } else {
    // Earlier versions did not note the book that was changed.
    const { base, book } = isUnsaved(kept) ? kept : { base: null, book: kept };
    if (isSame(base, saved)) unsaved = book;
    else if (isSame(book, saved)) remove(unsavedKey(storyId));
    else if (write(olderKey(storyId), book)) remove(unsavedKey(storyId));
    else return { unsaved: null, older: book };
  }
  return { unsaved, older: read(olderKey(storyId)) };
}

/**
 * Keeps a book in this browser until it is saved in the account.
 *
 * @returns whether the browser has it now.
 */
export function keepUnsaved(storyId: string, unsaved: Unsaved): boolean {
  return write(unsavedKey(storyId), unsaved);
}

/** Forgets a book that the account now has. Changes that another page of this browser made since stay. */
export function forgetUnsaved(storyId: string, saved: object): void {
  remove(earlierKey(storyId));
  const kept = read(unsavedKey(storyId));
  if (kept !== null && isUnsaved(kept) && isSame(kept.book, saved)) remove(unsavedKey(storyId));
}

/** Forgets the changes that were set aside. */
export function forgetOlder(storyId: string): void {
  remove(olderKey(storyId));
}

function isUnsaved(kept: object): kept is Unsaved {
  const { book } = kept as Partial<Unsaved>;
  return "base" in kept && typeof book === "object" && book !== null;
}

/** Whether two values have the same content. The service may return properties in another order. */
function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function read(key: string): object | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function write(key: string, value: object): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    // Without storage, changes that are not saved last as long as the page.
    return false;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
