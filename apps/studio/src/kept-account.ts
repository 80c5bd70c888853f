const storageKey = "atelier.account";

/** The account whose pages this tab shows. */
let shown: string | null = null;

/**
 * Remembers whose drafts this browser keeps, and removes those of another account.
 *
 * @param accountId null after signing out.
 * @returns `other` when the browser kept something of another account.
 */
export function keepAccount(accountId: string | null): "same" | "other" {
  shown = accountId;
  try {
    const last = localStorage.getItem(storageKey);
    if (last === accountId && last !== null) return "same";
    removeDrafts();
    if (accountId === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, accountId);
    return last === null ? "same" : "other";
  } catch {
    // Without storage, nothing is kept.
    return "same";
  }
}

/** The account whose pages this tab shows; null before signing in. */
export const shownAccount = (): string | null => shown;

function removeDrafts(): void {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) {
      if (name.startsWith("atelier.draft.")) storage.removeItem(name);
    }
  }
}

/** Calls the listener when another tab signs out, or signs in as another account. */
export function onOtherAccount(listener: () => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === storageKey && newValue !== shown) listener();
  });
}
