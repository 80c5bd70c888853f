import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { Budget, NewBudget, UpdateBudgetRequest } from "./types.ts";

/** Budgets that keys of the account share; the client's own key needs the scope `manage`. */
export interface Budgets {
  /**
   * Creates a budget, or returns the one with this name, amount and period. `budget_id` of `keys.create` and
   * `keys.update` puts a key into it.
   *
   * @throws ConflictError `too_many_items`.
   *
   * @example
   * ```ts
   * const team = await atelier.budgets.create({ name: "Design team", eur: "100.00", period: "month" });
   * await atelier.keys.update(keyId, { budget_id: team.id });
   * ```
   */
  create(budget: NewBudget, options?: CallOptions): Promise<Budget>;
  /**
   * Lists the budgets with what their keys have spent, newest first.
   *
   * @example
   * ```ts
   * const budgets = await atelier.budgets.list();
   * console.log(budgets.map(({ name, spent_eur, eur }) => [name, spent_eur, eur]));
   * ```
   */
  list(options?: CallOptions): Promise<readonly Budget[]>;
  /**
   * Reads a budget.
   *
   * @example
   * ```ts
   * const { spent_eur, held_eur, resets_at } = await atelier.budgets.get(budgetId);
   * console.log(spent_eur, held_eur, resets_at);
   * ```
   */
  get(budgetId: string, options?: CallOptions): Promise<Budget>;
  /**
   * Changes the name or the amount of a budget.
   *
   * @example
   * ```ts
   * const { eur } = await atelier.budgets.update(budgetId, { eur: "150.00" });
   * console.log(eur);
   * ```
   */
  update(budgetId: string, request: UpdateBudgetRequest, options?: CallOptions): Promise<Budget>;
  /**
   * Deletes a budget when all of its keys are revoked and none is that of a disabled member.
   *
   * @throws ConflictError `budget_in_use`.
   *
   * @example
   * ```ts
   * await atelier.budgets.delete(budgetId);
   * ```
   */
  delete(budgetId: string, options?: CallOptions): Promise<void>;
}

export function createBudgets({ call }: Api): Budgets {
  return {
    create: (body, options) => call("POST /v1/budgets", { body, ...options }),
    async list(options) {
      const { budgets } = await call("GET /v1/budgets", options);
      return budgets;
    },
    get: (budgetId, options) => call("GET /v1/budgets/{id}", { params: { budgetId }, ...options }),
    update: (budgetId, body, options) =>
      call("PATCH /v1/budgets/{id}", { params: { budgetId }, body, ...options }),
    delete: (budgetId, options) =>
      call("DELETE /v1/budgets/{id}", { params: { budgetId }, ...options }),
  };
}
