import { UsageError } from "@atelier/configuration";
import {
  budgetPeriod,
  keyScope,
  parseEur,
  type BudgetPeriod,
  type KeyScope,
} from "@atelier/schemas";
import { InvalidArgumentError, Option, type Command } from "commander";

/** Limits of a key, as flags. */
export interface KeyFlags {
  readonly scopes?: readonly KeyScope[];
  readonly models?: readonly string[];
  readonly budget?: string;
  readonly period?: BudgetPeriod;
  readonly expires?: string;
}

/** Adds the flags of the limits of a key. */
export function addLimits(command: Command): Command {
  return command
    .option("--scopes <list>", `of ${keyScope.options.join(",")}`, scopes)
    .option("--models <list>", "model ids, separated by commas", list)
    .option("--budget <eur>", "what its jobs may cost", amountText)
    .addOption(new Option("--period <period>", "of the budget").choices(budgetPeriod.options))
    .option("--expires <time>", "such as 2027-01-01", time);
}

/** @throws UsageError for a period without a budget. */
export function periodOf({
  budget,
  period,
}: Pick<KeyFlags, "period"> & { readonly budget?: string | false }): BudgetPeriod {
  if (period !== undefined && typeof budget !== "string") {
    throw new UsageError("--period needs --budget.");
  }
  return period ?? "total";
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function scopes(text: string): KeyScope[] {
  const parsed = keyScope.array().min(1).safeParse(list(text));
  if (!parsed.success) {
    throw new InvalidArgumentError(`It must be a list of ${keyScope.options.join(", ")}.`);
  }
  return parsed.data;
}

/** Checks an amount in EUR, and returns it as it is. */
export function amountText(text: string): string {
  try {
    parseEur(text);
  } catch {
    throw new InvalidArgumentError("It must be an amount in EUR such as 10 or 0.25.");
  }
  return text;
}

function time(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError("It must be a date such as 2027-01-01, or a time in ISO 8601.");
  }
  return date.toISOString();
}
