import { shownAccount } from "../kept-account.ts";

type Form = "create" | "story";

/** The draft of a tab, which browsers give back when the tab is opened again: perhaps for another account. */
interface OwnDraft {
  readonly accountId: string | null;
  readonly draft: unknown;
}

const nameOf = (form: Form) => `atelier.draft.${form}`;

/**
 * The draft that a form begins with: that of this tab, also after a reload, and in a new tab the newest of all.
 *
 * @returns `{}` without a draft, or without storage in the browser.
 */
export function readKeptDraft(form: Form): object {
  try {
    const own = JSON.parse(sessionStorage.getItem(nameOf(form)) ?? "null") as OwnDraft | null;
    if (own !== null && own.accountId === shownAccount()) return asObject(own.draft);
    return asObject(JSON.parse(localStorage.getItem(nameOf(form)) ?? "null"));
  } catch {
    return {};
  }
}

/** Keeps a draft for this tab and as the newest of all, as far as the browser has storage. */
export function keepDraft(form: Form, draft: object): void {
  try {
    const own: OwnDraft = { accountId: shownAccount(), draft };
    sessionStorage.setItem(nameOf(form), JSON.stringify(own));
    localStorage.setItem(nameOf(form), JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
