import { texts as shared } from "../texts.ts";

function imageCount(count: number, isAtLeast = false): string {
  const number = `${isAtLeast ? "At least " : ""}${count}`;
  return count === 1 ? `${number} image is` : `${number} images are`;
}

/** Texts of the page Account, and the shared texts. */
export const texts = {
  ...shared,
  account: {
    amount: "Amount",
    balance: "Balance",
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    copyId: "Copy the account id",
    download: "Download all data",
    endSession: "Sign out",
    endSessionOf: (key: string) => `Sign out the session with the key "${key}"`,
    endSessions: "Sign out everywhere",
    erase: "Erase the account",
    eraseText:
      "Only the operator of this service can erase an account, because it cannot be undone. Write to them with the id below. They remove your name, keys, webhooks, prompts and images; the ledger and the hashes of images stay, as the law requires.",
    export: "Your data",
    exported: (size: string) => `Saved, ${size}`,
    exporting: "Reading…",
    exportLead:
      "Everything that the service stores about this account, as JSON lines: keys without their secrets, jobs with their prompts, links to images, and every transfer.",
    hidden: (parts: string) => `Your permissions do not include these parts: ${parts}.`,
    held: "Held for unfinished jobs",
    id: "Account id",
    incomplete: "The export stopped before its end, and was not saved. Try again.",
    job: (end: string) => `Job …${end}`,
    makersReadAll: "Makers see all jobs",
    makersReadAllHint:
      "They still change and share only their own. Otherwise, makers see only the jobs that they requested, and share none.",
    keepStarred: "Keep everything I star",
    keepStarredHint:
      "The images of a job with a star stay until you delete them, within the quota for kept images. They also stay when you remove the star.",
    kind: "Kind",
    kinds: { top_up: "Top-up", charge: "Charge", withdrawal: "Withdrawal", refund: "Refund" },
    language: "Language",
    languageHint: "Of Studio, in every browser that is signed in to this account.",
    languageOfBrowser: "Language of the browser",
    lowBalance: "Low balance (EUR)",
    lowBalanceHint:
      "Your webhooks are notified when the balance falls below this amount, with the event account.balance_low. Leave it empty for no notification.",
    moneyText:
      "The price of a job is held when it is accepted, charged when it is completed, and released when it fails. The operator of this service adds credit.",
    noTransactions: "No transactions yet",
    noTransactionsHint: "Top-ups and the charges of completed jobs appear here.",
    reference: "Reference",
    retention: "Keep images (hours)",
    retentionHint: (hours: number) =>
      `So many hours after the end of a job, its files are deleted; their hashes stay. Applies to existing images too. At most ${hours}; empty selects that.`,
    shorten: (time: string) => `Keep images for ${time}`,
    shortenTitle: (time: string) => `Keep images for ${time} only?`,
    shortenAtOnce: (count: number, atLeast: boolean, time: string) =>
      `${imageCount(count, atLeast)} older than ${time}, and deleted within minutes.`,
    shortenLater: (count: number, atLeast: boolean, from: string, to: string) =>
      `${imageCount(count, atLeast)} deleted earlier than with the current setting: ${from === to ? `at ${from}` : `from ${from} to ${to}`}.`,
    shortenHint: "This cannot be undone. Download the images that you want to keep first.",
    saved: "Saved",
    sessions: "Sessions",
    sessionsLead:
      "Browsers that are signed in to Studio with your key, or with a key that you may revoke. “Sign out everywhere” ends only those with your key.",
    sessionTimes: (since: string, used: string) => `Since ${since}, last used ${used}`,
    settings: "Settings",
    settingsLead:
      "They apply to every key of this account: the strictness to new requests, the time that images are kept to existing images as well.",
    thisBrowser: "This browser",
    unknownBrowser: "Unknown browser",
    stars: "Stars",
    strictnessHints: {
      normal: "Refuses sexual content, gore, drugs and profanity as well",
      liberal: "Refuses only what is illegal, hateful or deceptive",
    },
    time: "Time",
    transactions: "Transactions",
    transactionsLead: "Top-ups, charges, withdrawals and refunds, newest first.",
  },
};
