import type { ApiKey, BudgetPeriod, KeyScope } from "@atelier/schemas";
import { ApiError } from "../../api.ts";
import { amountToSend, writeAmount } from "../../data/amounts.ts";
import { texts } from "../../texts/keys.ts";

/** The values of the form. */
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly hasBudget: boolean;
  readonly budgetEur: string;
  readonly budgetPeriod: BudgetPeriod;
  /** The id of its shared budget; empty without one. */
  readonly sharedBudget: string;
  readonly hasAllModels: boolean;
  readonly models: readonly string[];
  /** The last day (UTC) as `YYYY-MM-DD`; empty for no end. */
  readonly lastDay: string;
}

/** The limits of a key. */
export type LimitDraft = Pick<
  KeyDraft,
  "hasBudget" | "budgetEur" | "budgetPeriod" | "sharedBudget" | "hasAllModels" | "models"
>;

const dayMs = 86_400_000;

/** A new key: it may only make images, and ends after 90 days. */
export function newDraft(now: number): KeyDraft {
  return {
    name: "",
    scopes: ["generate"],
    hasBudget: true,
    budgetEur: "5.00",
    budgetPeriod: "month",
    sharedBudget: "",
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
    budgetEur: writeAmount(key.budget?.eur ?? "5.00"),
    budgetPeriod: key.budget?.period ?? "month",
    sharedBudget: key.budget_id ?? "",
    hasAllModels: key.models === null,
    models: key.models ?? [],
    lastDay: key.expires_at?.slice(0, 10) ?? "",
  };
}

/** The body of a request that creates a key. Without a shared budget, it has that of the key which creates it. */
export function bodyOf(draft: KeyDraft) {
  return {
    name: draft.name,
    scopes: draft.scopes,
    ...limitsOf(draft),
    ...(draft.sharedBudget !== "" && { budget_id: draft.sharedBudget }),
    expires_at: draft.lastDay === "" ? null : endOf(draft.lastDay),
  };
}

/** The models and the own budget of a request that creates or changes a key. */
function limitsOf({ hasAllModels, models, hasBudget, budgetEur, budgetPeriod }: LimitDraft) {
  return {
    models: hasAllModels ? null : models,
    budget: hasBudget ? { eur: amountToSend(budgetEur), period: budgetPeriod } : null,
  };
}

/** The body of a request that changes only the limits of a key that differ; null if none does. */
export function changedLimits(draft: LimitDraft, key: ApiKey) {
  const [limits, before] = [limitsOf(draft), limitsOf(draftOf(key))];
  const differs = (name: keyof typeof limits) =>
    JSON.stringify(limits[name]) !== JSON.stringify(before[name]);
  const budgetId = draft.sharedBudget || null;
  const body = {
    ...(differs("models") && { models: limits.models }),
    ...(differs("budget") && { budget: limits.budget }),
    ...(budgetId !== key.budget_id && { budget_id: budgetId }),
  };
  return Object.keys(body).length === 0 ? null : body;
}

/** The body of a request that changes a key. The exact end of a key stays, unless its day changes. */
export function changesOf(draft: KeyDraft, key: ApiKey) {
  const { expires_at, budget_id = null, ...body } = bodyOf(draft);
  return {
    ...body,
    ...(budget_id !== key.budget_id && { budget_id }),
    ...(draft.lastDay !== draftOf(key).lastDay && { expires_at }),
  };
}

/**
 * Stops a key that could never be used, or that would never end because its date is incomplete.
 *
 * @param form.isComplete false for a date of which the browser has only a part.
 * @throws ApiError with the problem of `expires_at`.
 */
export function assertLastDay(
  { lastDay }: KeyDraft,
  form: { readonly initial: KeyDraft; readonly isComplete: boolean; readonly now: number },
): void {
  const isOver =
    lastDay !== "" && lastDay !== form.initial.lastDay && Date.parse(endOf(lastDay)) < form.now;
  if (form.isComplete && !isOver) return;
  const message = form.isComplete ? texts.keys.pastDay : texts.keys.incompleteDay;
  throw new ApiError(message, {
    status: 0,
    code: "invalid_request",
    details: [{ path: "expires_at", message }],
  });
}

function endOf(day: string): string {
  return `${day}T23:59:59Z`;
}
