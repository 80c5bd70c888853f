import {
  assertMaySetAccount,
  assertScope,
  findAccount,
  manage,
  updateAccount,
  type AccountSettings,
  type Caller,
} from "@atelier/accounts";
import { readSpendable } from "@atelier/billing";
import { keyPeppers } from "@atelier/configuration";
import {
  ensureTestSecret,
  listWebhooks,
  makeAccountSecret,
  readTestSecret,
  type AccountSecret,
} from "@atelier/events";
import {
  accountSecretRequest,
  AppError,
  describeProblems,
  formatEur,
  parseEur,
  parseRequest,
  studioLanguage,
  updateAccountRequest,
  type Account,
  type KeyMode,
  type UpdateAccountRequest,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";

/** `GET /v1/account`: the account of the key, with its balance. */
export function readAccount(dependencies: ApiDependencies) {
  return async (_request: Request, response: Response): Promise<void> => {
    response.json(await presentAccountTo(contextOf(response).caller, dependencies));
  };
}

/**
 * `PATCH /v1/account`: changes settings of the account, for keys with the scope `manage` and without a
 * budget, limited models or an expiry.
 */
export function changeAccount(dependencies: ApiDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const body = parseRequest(updateAccountRequest, request.body);
    const settings = readSettings(body, dependencies);
    const { accountGate, database } = dependencies;
    await accountGate.run(caller.accountId, () =>
      manage(database, caller, ({ sql, accountId, actor }) => {
        assertMaySetAccount(actor);
        return updateAccount(sql, accountId, settings);
      }),
    );
    response.json(await presentAccountTo(caller, dependencies));
  };
}

/**
 * `POST /v1/account/webhook-secret`: makes or replaces the secret that signs deliveries to the `webhook_url` of
 * requests of a mode: that of live keys for keys that may change settings of the account.
 */
export function createWebhookSecret(dependencies: ApiDependencies) {
  const { config, database } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const { grace_hours, mode = caller.mode } = parseRequest(accountSecretRequest, request.body);
    const made = await manage(database, caller, async ({ sql, accountId, actor }) => {
      if (mode === "live") assertMaySetAccount(actor);
      const target = { accountId, pepper: config.KEY_PEPPER };
      const secret = await makeAccountSecret(sql, {
        ...target,
        mode,
        graceMs: grace_hours * 3_600_000,
      });
      await ensureTestSecret(sql, target);
      return secret;
    });
    response.status(made.previousUntil === null ? 201 : 200).json(presentSecret(mode, made));
  };
}

/**
 * `GET /v1/account/webhook-secret`: the secret that signs deliveries to the `webhook_url` of requests of test keys,
 * for test keys and for live keys with the scope `manage`.
 */
export function readWebhookSecret({ config, database }: ApiDependencies) {
  const peppers = keyPeppers(config);
  return async (_request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    if (caller.mode !== "test") assertScope(caller, "manage");
    const { accountId } = caller;
    response.json(presentSecret("test", await readTestSecret(database, { accountId, peppers })));
  };
}

function presentSecret(mode: KeyMode, { secret, previousUntil }: AccountSecret) {
  return { mode, secret, previous_valid_until: previousUntil?.toISOString() ?? null };
}

/**
 * Presents an account to a key. A test key, and one with a budget or without the scope `read`, sees what it may
 * still spend, and neither held amounts nor the name.
 */
export async function presentAccountTo(
  { accountId, keyId, mode, hasBudget, scopes }: Caller,
  dependencies: Pick<ApiDependencies, "config" | "database">,
): Promise<Account> {
  const { name, held_eur, ...shown } = await presentAccount(accountId, dependencies);
  if (mode !== "test" && !hasBudget && scopes.includes("read")) return { ...shown, name, held_eur };
  return { ...shown, balance_eur: formatEur(await readSpendable(dependencies.database, keyId)) };
}

/** Presents an account to its owner. */
export async function presentAccount(
  accountId: string,
  { config, database }: Pick<ApiDependencies, "config" | "database">,
): Promise<Required<Account>> {
  const account = await findAccount(database, accountId);
  if (account === null) throw new Error(`account ${accountId} is gone`);
  const webhooks = await listWebhooks(database, accountId);
  const { retentionHours, lowBalanceMicroEur } = account;
  return {
    id: account.id,
    name: account.name,
    balance_eur: formatEur(account.balanceMicroEur),
    held_eur: formatEur(account.heldMicroEur),
    strictness: account.strictness,
    retention_hours: Math.min(retentionHours ?? config.RETENTION_HOURS, config.RETENTION_HOURS),
    max_retention_hours: config.RETENTION_HOURS,
    low_balance_eur: lowBalanceMicroEur === null ? null : formatEur(lowBalanceMicroEur),
    language: studioLanguage.nullable().catch(null).parse(account.language),
    disabled_webhooks: webhooks
      .filter(({ disabledReason }) => disabledReason !== null && disabledReason !== "account")
      .map(({ id }) => id),
  };
}

/** The settings in a body, without omitted ones. */
function readSettings(
  { strictness, retention_hours, low_balance_eur, language }: UpdateAccountRequest,
  { config }: Pick<ApiDependencies, "config">,
): Partial<AccountSettings> {
  const longest = config.RETENTION_HOURS;
  if (retention_hours != null && retention_hours > longest) {
    const message = `must be at most ${longest}, the limit of this server`;
    const problems = [{ path: "retention_hours", code: "too_big", message }];
    throw new AppError("invalid_request", describeProblems(problems), { details: problems });
  }
  return {
    ...(strictness !== undefined && { strictness }),
    ...(retention_hours !== undefined && { retentionHours: retention_hours }),
    ...(low_balance_eur !== undefined && {
      lowBalanceMicroEur: low_balance_eur === null ? null : parseEur(low_balance_eur),
    }),
    ...(language !== undefined && { language }),
  };
}
