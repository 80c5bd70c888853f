import { findAccount } from "@atelier/accounts";
import { formatEur } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";

/** `GET /v1/account`: who the key belongs to, and what is left to spend. */
export function readAccount({ database }: ApiDependencies) {
  return async (_request: Request, response: Response): Promise<void> => {
    const { accountId } = contextOf(response).caller;
    const account = await findAccount(database, accountId);
    if (account === null) throw new Error(`account ${accountId} is gone`);
    response.json({
      id: account.id,
      name: account.name,
      balance_eur: formatEur(account.balanceMicroEur),
      held_eur: formatEur(account.heldMicroEur),
      strictness: account.strictness,
    });
  };
}
