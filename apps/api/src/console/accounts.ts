import {
  createKey,
  findAccount,
  listKeys,
  listMembers,
  revokeKey,
  setSuspended,
  updateAccount,
} from "@atelier/accounts";
import { createAccountOnce, topUp, withdraw } from "@atelier/billing";
import { findAccounts, readAccounts, type AccountOverview } from "@atelier/generations/inspect";
import { formatEur, parseEur } from "@atelier/schemas";
import * as admin from "@atelier/schemas/admin";
import type { AdminAccount } from "@atelier/schemas/admin";
import type { Needs } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";
import { assertModelsExist } from "../keys/assert-models-exist.ts";
import { presentKeyOf } from "../keys/present-keys.ts";
import { readSettings } from "../routes/account.ts";
import { assertFuture } from "../routes/keys.ts";
import { presentMember } from "../routes/members.ts";
import { readTransactions } from "../routes/transactions.ts";
import { accountErased, accountNotFound, keyNotFound, orRefuse } from "./record-write.ts";
import { refusal } from "./refuse.ts";
import type { Operator } from "./session.ts";

/** Members and keys that the page of an account shows. */
const listLimit = 200;

const dayMs = 86_400_000;

/** Charges, failed jobs and refunds of an account that its page sums, and a list of accounts or a change. */
const maxJobs = { page: 20_000, list: 500 };

/** `/admin/v1/accounts` and `/admin/v1/keys`, over the functions of `atelier accounts`. */
export function serveAccounts(
  routes: Routes<Operator>,
  dependencies: Needs<"catalogue" | "config" | "database" | "modelAliases">,
): void {
  const { config, database } = dependencies;
  const options = { notFound: accountNotFound };

  routes.add(admin.listAccounts, async ({ query: { q, limit, cursor } }) => {
    const found = await findAccounts(database, {
      text: q ?? null,
      before: readCursor(cursor),
      limit: limit + 1,
    });
    const { page, nextCursor } = splitPage(
      found.map((id) => ({ id })),
      limit,
    );
    const ids = page.map(({ id }) => id);
    const accounts = ids.length === 0 ? [] : await readSince(ids, maxJobs.list);
    return { accounts: accounts.map(present), next_cursor: nextCursor };
  });

  routes.add(
    admin.readAdminAccount,
    async ({ params: { id } }) => {
      const account = await find(id, maxJobs.page);
      const members = await listMembers(database, id, listLimit);
      const keys = await listKeys(database, id, { limit: listLimit });
      const memberIds = new Map(members.map((member) => [member.keyId, member.id]));
      return {
        account,
        members: members.map(presentMember),
        keys: keys.map((key) => presentKeyOf(key, memberIds.get(key.id) ?? null)),
      };
    },
    options,
  );

  routes.add(
    admin.listAccountTransactions,
    async ({ params: { id }, query }) => {
      const list = await readTransactions(database, id, query);
      const isKnown = list.transactions.length > 0 || (await findAccount(database, id)) !== null;
      if (!isKnown) throw accountNotFound();
      return list;
    },
    options,
  );

  routes.add(admin.createAdminAccount, async ({ caller, body, response }) => {
    const { name, external_id: externalId = null, strictness = null } = body;
    const creditMicroEur = parseEur(body.credit_eur ?? "0");
    const { id, outcome } = await orRefuse(
      createAccountOnce(
        database,
        { name, externalId, strictness, creditMicroEur, key: null },
        {
          actor: caller.actor,
          action: admin.createAdminAccount.recorded?.action ?? "",
          operatorLogKey: config.OPERATOR_LOG_KEY ?? null,
          requestId: String(response.locals["requestId"]),
        },
      ),
    );
    return [outcome === "created" ? 201 : 200, await find(id)] as const;
  });

  routes.add(
    admin.changeAdminAccount,
    async ({ params: { id }, body }) => {
      await updateAccount(database, id, readSettings(body, dependencies));
      return find(id);
    },
    options,
  );

  const movements = [
    [admin.topUpAccount, topUp],
    [admin.withdrawFromAccount, withdraw],
  ] as const;
  for (const [endpoint, book] of movements) {
    routes.add(
      endpoint,
      async ({ params: { id }, body: { eur, reference } }) => {
        const movement = { accountId: id, amountMicroEur: parseEur(eur), reference };
        const booked = await orRefuse(book(database, movement));
        const balanceMicroEur = (await findAccount(database, id))?.balanceMicroEur ?? 0n;
        return { account_id: id, booked, reference, balance_eur: formatEur(balanceMicroEur) };
      },
      options,
    );
  }

  const switches = [
    [admin.suspendAccount, true],
    [admin.resumeAccount, false],
  ] as const;
  for (const [endpoint, isSuspended] of switches) {
    routes.add(
      endpoint,
      async ({ params: { id } }) => {
        if (!(await setSuspended(database, id, isSuspended))) throw accountErased();
        return find(id);
      },
      options,
    );
  }

  routes.add(
    admin.createAccountKey,
    async ({ params: { id }, body }) => {
      const { name, mode = "live", scopes, models, budget, expires_at: expiresAt } = body;
      const expires = expiresAt == null ? null : new Date(expiresAt);
      assertFuture(expires);
      assertModelsExist(models ?? undefined, [], { models: [] }, dependencies);
      const made = await createKey(database, {
        accountId: id,
        name,
        mode,
        pepper: config.KEY_PEPPER,
        ...(scopes && { scopes }),
        ...(models && { models }),
        ...(budget && { budgetMicroEur: parseEur(budget.eur), budgetPeriod: budget.period }),
        expiresAt: expires,
      });
      return { account_id: id, ...made };
    },
    options,
  );

  routes.add(
    admin.revokeAccountKey,
    async ({ params: { id } }) => {
      const ended = await revokeKey(database, id);
      if (ended === null)
        throw refusal("change_refused", "key_revoked", "The key is revoked already.");
      const { keys, webhooks, sessions } = ended;
      return { keys, webhooks, sessions };
    },
    { notFound: keyNotFound },
  );

  function readSince(ids: readonly string[], most: number): Promise<AccountOverview[]> {
    const since = new Date(Date.now() - 30 * dayMs);
    return readAccounts(database, ids, { since, maxJobs: most });
  }

  async function find(id: string, most = maxJobs.list): Promise<AdminAccount> {
    const [account] = await readSince([id], most);
    if (account === undefined) throw accountNotFound();
    return present(account);
  }
}

/** The state of an account in one word. */
function statusOf({ erasedAt, suspendedAt }: AccountOverview): AdminAccount["status"] {
  if (erasedAt !== null) return "erased";
  return suspendedAt === null ? "active" : "suspended";
}

function present(account: AccountOverview): AdminAccount {
  return {
    id: account.id,
    name: account.name,
    external_id: account.externalId,
    status: statusOf(account),
    strictness: account.strictness,
    retention_hours: account.retentionHours,
    balance_eur: formatEur(account.balanceMicroEur),
    held_eur: formatEur(account.heldMicroEur),
    unfinished_jobs: account.unfinishedJobs,
    last_30_days: {
      charged_eur: formatEur(account.chargedMicroEur),
      refunded_eur: formatEur(account.refundedMicroEur),
      failed_jobs: account.failedJobs,
      is_complete: account.isComplete,
    },
    last_used_at: account.lastUsedAt?.toISOString() ?? null,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    suspension: account.suspension,
    erased_at: account.erasedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  };
}
