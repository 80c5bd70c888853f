import { randomKey } from "../../data/random-key.ts";

/** With the prefix of drafts, which are removed at signing out. */
const storageKey = "atelier.draft.order";

interface Order {
  readonly text: string;
  readonly key: string;
}

let last: Order | null = readOrder();

function readOrder(): Order | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "null") as Order | null;
  } catch {
    return null;
  }
}

/**
 * The idempotency key of a request that is sent. A request whose response was lost keeps its key, also
 * after a reload of the page, so that it is not made and charged twice.
 *
 * @param text the request.
 */
export function keyOfOrder(text: string): string {
  if (last?.text !== text) last = { text, key: randomKey() };
  try {
    localStorage.setItem(storageKey, JSON.stringify(last));
  } catch {
    // Without storage, the key lasts as long as the page.
  }
  return last.key;
}

/** Forgets the key: its request was answered. */
export function forgetOrder(): void {
  last = null;
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was kept.
  }
}
