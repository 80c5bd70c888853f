import { texts as shared } from "../texts.ts";

/** Texts of the page Budgets, and the shared texts. */
export const texts = {
  ...shared,
  budgets: {
    create: "Create a budget",
    delete: "Delete",
    deleteName: (name: string) => `Delete "${name}"`,
    deleteText: "Its unfinished jobs continue and are charged. This cannot be undone.",
    disabled: (name: string) => `${name} (disabled)`,
    edit: "Edit",
    editName: (name: string) => `Edit "${name}"`,
    empty: "No shared budgets",
    emptyHint: "A budget limits what the jobs of several keys may cost together.",
    eur: "Amount (EUR)",
    eurHint: "A lower amount affects new requests only.",
    expired: (name: string) => `${name} (expired)`,
    gone: "This budget was deleted in the meantime. Close this dialog to see the current list.",
    held: (amount: string) => `${amount} of it held for unfinished jobs.`,
    keys: "Keys and people",
    lead: "Limit what the jobs of several keys may cost together, beside the budget of each key. Add keys to a budget on the page Keys, and makers on the page Members.",
    name: "Name",
    nameHint: "Shown in refusals, such as: Design team.",
    noKeys: "None",
    of: (amount: string, period: string) => `of ${amount} ${period.toLowerCase()}`,
    period: "Period",
    periodHint:
      "The period cannot be changed later. It begins at midnight UTC, and weeks begin on Monday.",
    periods: { total: "In total", day: "Per day", week: "Per week", month: "Per month" },
    startsAgain: (time: string) => `It starts again on ${time}.`,
    used: (name: string) => `Budget ${name} used`,
  },
};
