import { assertUnlimited, manage, type Caller, type Managing } from "@atelier/accounts";
import {
  changeSharedBudget,
  createSharedBudget,
  deleteSharedBudget,
  readBudgetNames,
  readSharedBudgets,
  type SharedBudget,
} from "@atelier/billing";
import { newId } from "@atelier/database";
import {
  AppError,
  formatEur,
  invalidRequest,
  maxBudgets,
  parseEur,
  type Budget,
} from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";

const options = { notFound: budgetNotFound };

/** `/v1/budgets`: budgets that keys share, for live keys with the scope `manage`. */
export function serveBudgets(
  routes: Routes,
  { accountGate, database }: Needs<"accountGate" | "database">,
): void {
  /** Runs a change with the rights to set the account, under its lock. */
  const change = <Result>(caller: Caller, work: (managing: Managing) => Promise<Result>) =>
    accountGate.run(caller.accountId, () =>
      manage(database, caller, (managing) => {
        assertUnlimited(managing.actor);
        return work(managing);
      }),
    );

  // Tests cost nothing: a test key sees no budgets.
  routes.add(endpoints.listBudgets, async ({ caller: { accountId, mode } }) => {
    const budgets = mode === "test" ? [] : await readSharedBudgets(database, accountId);
    return { budgets: budgets.map(presentBudget) };
  });

  routes.add(endpoints.createBudget, async ({ caller, body: { name, eur, period } }) => {
    const id = newId();
    const budgetMicroEur = parseEur(eur);
    const created = await change(caller, async ({ sql, accountId }) => {
      const names = await readBudgetNames(sql, accountId);
      const [namedId] = [...names].find(([, taken]) => taken === name) ?? [];
      const [named] = namedId === undefined ? [] : await readSharedBudgets(sql, accountId, namedId);
      if (named !== undefined) {
        const isEqual = named.budgetMicroEur === budgetMicroEur && named.period === period;
        if (!isEqual) throw nameTaken();
        return named.id;
      }
      if (names.size >= maxBudgets) throw tooManyBudgets();
      await createSharedBudget(sql, { id, accountId, name, budgetMicroEur, period });
      return id;
    });
    return [created === id ? 201 : 200, await read(caller, created)] as const;
  });

  routes.add(endpoints.readBudget, ({ caller, params }) => read(caller, params.id), options);

  routes.add(
    endpoints.updateBudget,
    async ({ caller, params: { id: budgetId }, body: { name, eur } }) => {
      await change(caller, async ({ sql, accountId }) => {
        const names = await readBudgetNames(sql, accountId);
        if ([...names].some(([id, taken]) => taken === name && id !== budgetId)) {
          throw nameTaken();
        }
        const settings = {
          name: name ?? null,
          budgetMicroEur: eur === undefined ? null : parseEur(eur),
        };
        const isFound = await changeSharedBudget(sql, { accountId, budgetId }, settings);
        if (!isFound) throw budgetNotFound();
      });
      return read(caller, budgetId);
    },
    options,
  );

  routes.add(
    endpoints.deleteBudget,
    async ({ caller, params: { id: budgetId } }) => {
      // A transaction whose commit succeeded is run again when its response is lost.
      let isDeleted = false;
      await change(caller, async ({ sql, accountId }) => {
        const isFound = await deleteSharedBudget(sql, { accountId, budgetId });
        if (!isFound && !isDeleted) throw budgetNotFound();
        isDeleted = true;
      });
    },
    options,
  );

  async function read({ accountId, mode }: Caller, budgetId: string): Promise<Budget> {
    const [budget] = await readSharedBudgets(database, accountId, budgetId);
    if (budget === undefined || mode === "test") throw budgetNotFound();
    return presentBudget(budget);
  }
}

/** Presents a budget to the owner of its account. */
export function presentBudget(budget: SharedBudget): Budget {
  return {
    id: budget.id,
    name: budget.name,
    eur: formatEur(budget.budgetMicroEur),
    period: budget.period,
    spent_eur: formatEur(budget.spentMicroEur),
    held_eur: formatEur(budget.heldMicroEur),
    resets_at: budget.resetsAt?.toISOString() ?? null,
    keys: budget.keys,
    created_at: budget.createdAt.toISOString(),
  };
}

function budgetNotFound(): AppError {
  return new AppError(
    "budget_not_found",
    "There is no budget with this id. GET /v1/budgets lists your budgets.",
  );
}

function nameTaken(): AppError {
  const message = "is the name of another budget of this account";
  return invalidRequest({ path: "name", code: "custom", message });
}

function tooManyBudgets(): AppError {
  return new AppError(
    "too_many_items",
    `The account has ${maxBudgets} budgets, which is the limit. Delete one.`,
    { details: { max_items: maxBudgets } },
  );
}
