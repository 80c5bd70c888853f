import { useState } from "react";
import { readBook, type Book } from "./book.ts";

/** Removed with the other drafts when the account signs out. */
const keyOf = (storyId: string) => `atelier.draft.book.${storyId}`;

/**
 * The book of a story, which is kept in this browser.
 *
 * @param fresh the book before its first change.
 */
export function useBook(storyId: string, fresh: Book) {
  const [book, setBook] = useState(() => readBook(readKept(storyId), fresh));
  function change(next: Book): void {
    setBook(next);
    try {
      localStorage.setItem(keyOf(storyId), JSON.stringify(next));
    } catch {
      // Without storage, the book lasts as long as the page.
    }
  }
  return { book, change };
}

function readKept(storyId: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(storyId)) ?? "null");
  } catch {
    return null;
  }
}
