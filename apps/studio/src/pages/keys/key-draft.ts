import type { ApiKey, BudgetPeriod, KeyScope } from "@atelier/schemas";

/** What the form contains. */
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly hasBudget: boolean;
  readonly budgetEur: string;
  readonly budgetPeriod: BudgetPeriod;
  readonly hasAllModels: boolean;
  readonly models: readonly string[];
  /** The last day (UTC) as `YYYY-MM-DD`; empty for no end. */
  readonly lastDay: string;
}

const dayMs = 86_400_000;

/** A new key: it may only make images, and ends after 90 days. */
export function newDraft(now: number): KeyDraft {
  return {
    name: "",
    scopes: ["generate"],
    hasBudget: true,
    budgetEur: "5.00",
    budgetPeriod: "month",
    hasAllModels: true,
    models: [],
    lastDay: new Date(now + 90 * dayMs).toISOString().slice(0, 10),
  };
}

/** The settings of a key. */
export function draftOf(key: ApiKey): KeyDraft {
  return {
    name: key.name,
    scopes: key.scopes,
    hasBudget: key.budget !== null,
    budgetEur: key.budget?.eur ?? "5.00",
    budgetPeriod: key.budget?.period ?? "month",
    hasAllModels: key.models === null,
    models: key.models ?? [],
    lastDay: key.expires_at?.slice(0, 10) ?? "",
  };
}

/** The body of a request that creates a key. */
export function bodyOf(draft: KeyDraft) {
  return {
    name: draft.name,
    scopes: draft.scopes,
    models: draft.hasAllModels ? null : draft.models,
    budget: draft.hasBudget ? { eur: draft.budgetEur.trim(), period: draft.budgetPeriod } : null,
    expires_at: draft.lastDay === "" ? null : `${draft.lastDay}T23:59:59Z`,
  };
}

/** The body of a request that changes a key. The exact end of a key stays, unless its day changes. */
export function changesOf(draft: KeyDraft, key: ApiKey) {
  const { expires_at, ...body } = bodyOf(draft);
  return draft.lastDay === draftOf(key).lastDay ? body : { ...body, expires_at };
}
