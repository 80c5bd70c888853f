import type { Budget, NewBudget, UpdateBudgetRequest } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import { sharedBudgetPeriod, type SharedBudgetPeriod } from "@atelier/schemas";
import { deleteBudget, readBudget } from "@atelier/schemas/endpoints";
import { Option, type Command } from "commander";
import { properties, table, type Answer } from "../../answer.ts";
import { amountText } from "../../key-limits.ts";
import type { Call, CallFlags } from "../call.ts";
import { leaf } from "../leaf.ts";
import { addDelete, addShow } from "../resource.ts";

/** Adds the commands for budgets that keys share. */
export function addBudgets(program: Command, call: Call): void {
  const group = program.command("budgets").description("manage budgets that keys share");

  leaf(group, "list", "list budgets with what their keys spent", { isDefault: true }).action(
    (flags: CallFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const budgets = await atelier.budgets.list({ signal });
        const headings = ["ID", "NAME", "SPENT", "HELD", "BUDGET", "KEYS", "STARTS AGAIN"];
        const rows = budgets.map((budget) => [
          budget.id,
          budget.name,
          budget.spent_eur,
          budget.held_eur,
          amountOf(budget),
          String(budget.keys),
          budget.resets_at ?? "never",
        ]);
        return { json: { budgets }, text: table(headings, rows) };
      }, flags),
  );

  leaf(group, "create", "create a budget, and print its id")
    .argument("<name>", "its name")
    .argument("<eur>", "what the jobs of its keys may cost together", amountText)
    .addOption(
      new Option("--period <period>", "of the amount")
        .choices(sharedBudgetPeriod.options)
        .default("total"),
    )
    .action((name: string, eur: string, { period, ...flags }: CallFlags & CreateFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request: NewBudget = { name, eur, period };
        const budget = await atelier.budgets.create(request, { signal });
        return { json: budget, text: budget.id };
      }, flags),
    );

  addShow(group, call, readBudget, "budget", describe);

  leaf(group, "update", "change the name or the amount of a budget")
    .argument("<budget-id>", "id of the budget")
    .option("--name <name>", "new name")
    .option("--eur <eur>", "new amount", amountText)
    .action((id: string, { name, eur, ...flags }: CallFlags & UpdateBudgetRequest) => {
      if (name === undefined && eur === undefined) {
        throw new UsageError("Nothing to change. Pass --name or --eur.");
      }
      return call(async ({ atelier, follow: { signal } }) => {
        const request = { ...(name !== undefined && { name }), ...(eur !== undefined && { eur }) };
        return describe(await atelier.budgets.update(id, request, { signal }));
      }, flags);
    });

  addDelete(group, call, deleteBudget, "budget", "delete a budget whose keys are moved or revoked");
}

interface CreateFlags {
  readonly period: SharedBudgetPeriod;
}

function describe(budget: Budget): Answer {
  const text = properties([
    ["Budget", budget.id],
    ["Name", budget.name],
    ["Amount", amountOf(budget)],
    ["Spent", `${budget.spent_eur} EUR`],
    ["Held", `${budget.held_eur} EUR of it`],
    ["Starts again", budget.resets_at ?? "never"],
    ["Keys", String(budget.keys)],
  ]);
  return { json: budget, text };
}

function amountOf({ eur, period }: Budget): string {
  return period === "total" ? `${eur} EUR` : `${eur} EUR a ${period}`;
}
