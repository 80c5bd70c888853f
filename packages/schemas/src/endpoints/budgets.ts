import * as z from "zod";
import { eur, eurAmount, newName, timestamp } from "../fields.ts";
import { endpoint, json } from "./endpoint.ts";

/** Budgets that an account may have. */
export const maxBudgets = 100;

export const sharedBudgetPeriod = z.enum(["total", "day", "week", "month"]).meta({
  description:
    "`day`, `week` and `month` begin at midnight UTC, a week on Monday. `total` never starts again.",
});
export type SharedBudgetPeriod = z.infer<typeof sharedBudgetPeriod>;

const amount = eurAmount.meta({
  description: "What the jobs of its keys may cost together in a period, in EUR.",
  examples: ["100.00"],
});

/** Body of `POST /v1/budgets`. */
export const newBudget = z
  .strictObject({
    name: newName.meta({ examples: ["Design team"] }),
    eur: amount,
    period: sharedBudgetPeriod.default("total"),
  })
  .meta({ id: "NewBudget" });
export type NewBudget = z.infer<typeof newBudget>;

/** Body of `PATCH /v1/budgets/{id}`: omitted properties stay unchanged. */
export const updateBudgetRequest = z
  .strictObject({ name: newName.optional(), eur: amount.optional() })
  .meta({ id: "UpdateBudgetRequest" });
export type UpdateBudgetRequest = z.infer<typeof updateBudgetRequest>;

export const budget = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    eur,
    period: sharedBudgetPeriod,
    spent_eur: eur.meta({
      description:
        "What jobs that were accepted in the current period cost, holds of unfinished jobs included.",
    }),
    held_eur: eur.meta({ description: "The part of `spent_eur` that unfinished jobs hold." }),
    resets_at: timestamp.nullable().meta({
      description: "When the next period begins; null for `total`.",
    }),
    keys: z.int().nonnegative().meta({
      description: "The number of its keys that are neither revoked nor expired.",
    }),
    created_at: timestamp,
  })
  .meta({ id: "Budget", description: "What the jobs of several keys may cost together." });
export type Budget = z.infer<typeof budget>;

/** 200 of `GET /v1/budgets`. */
export const budgetList = z
  .strictObject({ budgets: z.array(budget).meta({ description: "The newest first." }) })
  .meta({ id: "BudgetList" });

const tag = "Budgets";

const sample: Budget = {
  id: "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2",
  name: "Design team",
  eur: "100.00",
  period: "month",
  spent_eur: "41.20",
  held_eur: "0.20",
  resets_at: "2026-12-01T00:00:00.000Z",
  keys: 4,
  created_at: "2026-11-02T09:30:00.000Z",
};

const params = {
  id: z
    .uuid()
    .toLowerCase()
    .meta({ description: "The id of a budget.", examples: [sample.id] }),
};
const one = (description: string, value = sample) =>
  json(description, budget, { budget: ["A budget", value] });

export const createBudget = endpoint({
  id: "createBudget",
  route: "POST /v1/budgets",
  tag,
  summary: "Create a budget",
  description: `A budget that keys share, beside their own. \`budget_id\` of \`POST\` and \`PATCH /v1/keys\` puts a key into it. An account may have ${maxBudgets} budgets of different names; when one has the same name, amount and period, it is returned with 200. Needs the scope \`manage\`, and a live key without a budget, limited models or an expiry, as all changes of budgets do.`,
  scope: ["manage"],
  body: {
    schema: newBudget,
    examples: {
      budget: ["100 EUR a month", { name: sample.name, eur: sample.eur, period: sample.period }],
    },
  },
  results: {
    200: one("The budget that is equal to this one."),
    201: one("The new budget.", { ...sample, spent_eur: "0.00", held_eur: "0.00", keys: 0 }),
  },
  errors: ["too_many_items"],
});

export const listBudgets = endpoint({
  id: "listBudgets",
  route: "GET /v1/budgets",
  tag,
  summary: "List budgets",
  description:
    "The shared budgets of the account with what their keys have spent, the newest first; none with a test key. Needs the scope `manage`.",
  scope: ["manage"],
  results: {
    200: json("The budgets.", budgetList, { budgets: ["One budget", { budgets: [sample] }] }),
  },
});

export const readBudget = endpoint({
  id: "readBudget",
  route: "GET /v1/budgets/{id}",
  tag,
  summary: "Read a budget",
  description: "The budget with what its keys have spent. Needs the scope `manage` and a live key.",
  scope: ["manage"],
  params,
  results: { 200: one("The budget.") },
  errors: ["budget_not_found"],
});

export const updateBudget = endpoint({
  id: "updateBudget",
  route: "PATCH /v1/budgets/{id}",
  tag,
  summary: "Change a budget",
  description:
    "Changes the name or the amount; the period never changes. A lower amount affects new requests only: accepted jobs continue.",
  scope: ["manage"],
  params,
  body: {
    schema: updateBudgetRequest,
    examples: { request: [null, { eur: "150.00" }] },
  },
  results: { 200: one("The budget as it is now.", { ...sample, eur: "150.00" }) },
  errors: ["budget_not_found"],
});

export const deleteBudget = endpoint({
  id: "deleteBudget",
  route: "DELETE /v1/budgets/{id}",
  tag,
  summary: "Delete a budget",
  description:
    "Deletes a budget without keys that are valid or may become valid again: move or revoke its keys first, also expired ones, and enable or remove members who are disabled. Unfinished jobs continue and are charged.",
  scope: ["manage"],
  params,
  results: { 204: "The budget is deleted." },
  errors: ["budget_not_found", "budget_in_use"],
});

/** `/v1/budgets`. */
export const budgetEndpoints = [
  createBudget,
  listBudgets,
  readBudget,
  updateBudget,
  deleteBudget,
] as const;
