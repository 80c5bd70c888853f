import {
  applyMakersReadAll,
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
  invalidRequest,
  formatEur,
  parseEur,
  studioLanguage,
  type Account,
  type KeyMode,
  type UpdateAccountRequest,
} from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/account`: the account of the key, with its balance and its settings. */
export function serveAccount(
  routes: Routes,
  dependencies: Needs<"accountGate" | "config" | "database">,
): void {
  const { accountGate, config, database } = dependencies;
  const peppers = keyPeppers(config);

  routes.add(endpoints.readAccount, ({ caller }) => presentAccountTo(caller, dependencies));

  // For keys without a budget, limited models or an expiry.
  routes.add(endpoints.updateAccount, async ({ caller, body }) => {
    const settings = readSettings(body, dependencies);
    await accountGate.run(caller.accountId, () =>
      manage(database, caller, async (managing) => {
        const { sql, accountId, actor } = managing;
        assertMaySetAccount(actor);
        await updateAccount(sql, accountId, settings);
        const { makersReadAll } = settings;
        if (makersReadAll !== undefined) await applyMakersReadAll(managing, makersReadAll);
      }),
    );
    return presentAccountTo(caller, dependencies);
  });

  // That of live keys for keys that may change settings of the account.
  routes.add(
    endpoints.createWebhookSecret,
    async ({ caller, body: { grace_hours, mode = caller.mode } }) => {
      const made = await manage(database, caller, async ({ sql, accountId, actor }) => {
        if (mode === "live") assertMaySetAccount(actor);
        const target = { accountId, pepper: config.KEY_PEPPER };
        const graceMs = grace_hours * 3_600_000;
        const secret = await makeAccountSecret(sql, { ...target, mode, graceMs });
        await ensureTestSecret(sql, target);
        return secret;
      });
      return [made.previousUntil === null ? 201 : 200, presentSecret(mode, made)] as const;
    },
    {
      keyRefusal:
        "The secret is shown once, so its response can't be repeated. Omit the header; if a response was lost, send the request again.",
    },
  );

  routes.add(endpoints.readWebhookSecret, async ({ caller }) => {
    if (caller.mode !== "test") assertScope(caller, "manage");
    const { accountId } = caller;
    return presentSecret("test", await readTestSecret(database, { accountId, peppers }));
  });
}

function presentSecret(mode: KeyMode, { secret, previousUntil }: AccountSecret) {
  return { mode, secret, previous_valid_until: previousUntil?.toISOString() ?? null };
}

/**
 * Presents an account to a key. A test key, and one with a budget or without the scope `read`, sees what it may
 * still spend, and neither held amounts nor the name.
 */
export async function presentAccountTo(
  { accountId, keyId, mode, hasBudget, budgetId, scopes }: Caller,
  dependencies: Needs<"config" | "database">,
): Promise<Account> {
  const { name, held_eur, ...shown } = await presentAccount(accountId, dependencies);
  const seesAll = mode !== "test" && !hasBudget && budgetId === null && scopes.includes("read");
  if (seesAll) return { ...shown, name, held_eur };
  return { ...shown, balance_eur: formatEur(await readSpendable(dependencies.database, keyId)) };
}

/** Presents an account to its owner. */
export async function presentAccount(
  accountId: string,
  { config, database }: Needs<"config" | "database">,
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
    keep_starred: account.keepStarred,
    assistant: config.ASSISTANT_URL !== undefined,
    sharing: config.SHARES === "on",
    makers_read_all: account.makersReadAll,
    disabled_webhooks: webhooks
      .filter(({ disabledReason }) => disabledReason !== null && disabledReason !== "account")
      .map(({ id }) => id),
  };
}

/**
 * The settings in a body, without omitted ones.
 *
 * @throws AppError `invalid_request` for a longer retention than that of the service.
 */
export function readSettings(
  {
    strictness,
    retention_hours,
    low_balance_eur,
    language,
    keep_starred,
    makers_read_all,
  }: UpdateAccountRequest,
  { config }: Needs<"config">,
): Partial<AccountSettings> {
  const longest = config.RETENTION_HOURS;
  if (retention_hours != null && retention_hours > longest) {
    const message = `must be at most ${longest}, the limit of this server`;
    throw invalidRequest({ path: "retention_hours", code: "too_big", message });
  }
  return {
    ...(strictness !== undefined && { strictness }),
    ...(retention_hours !== undefined && { retentionHours: retention_hours }),
    ...(low_balance_eur !== undefined && {
      lowBalanceMicroEur: low_balance_eur === null ? null : parseEur(low_balance_eur),
    }),
    ...(language !== undefined && { language }),
    ...(keep_starred !== undefined && { keepStarred: keep_starred }),
    ...(makers_read_all !== undefined && { makersReadAll: makers_read_all }),
  };
}
