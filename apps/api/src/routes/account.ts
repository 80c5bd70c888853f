import { findAccount } from "@atelier/accounts";
import { formatEur, type account as accountSchema } from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";

/** `GET /v1/account`: who the key belongs to, and what is left to spend. */
export function readAccount(dependencies: ApiDependencies) {
  return async (_request: Request, response: Response): Promise<void> => {
    response.json(await presentAccount(contextOf(response).caller.accountId, dependencies));
  };
}

/** An account as its owner sees it. */
export async function presentAccount(
  accountId: string,
  { database }: ApiDependencies,
): Promise<z.infer<typeof accountSchema>> {
  const account = await findAccount(database, accountId);
  if (account === null) throw new Error(`account ${accountId} is gone`);
  return {
    id: account.id,
    name: account.name,
    balance_eur: formatEur(account.balanceMicroEur),
    held_eur: formatEur(account.heldMicroEur),
    strictness: account.strictness,
  };
}
