import {
  findAccount,
  listAccounts,
  setSuspended,
  updateAccount,
  type AccountInfo,
} from "@atelier/accounts";
import { recordAlone } from "@atelier/audit";
import {
  accountOfJob,
  createAccountOnce,
  readStatement,
  refundJob,
  topUp,
  withdraw,
  type CreditMovement,
  type RefundRequest,
  type StatementLine,
} from "@atelier/billing";
import type { Database } from "@atelier/database";
import { formatEur, type Strictness } from "@atelier/schemas";
import { table, type Answer } from "./answer.ts";
import { readActor } from "./operators/record-commands.ts";

/** Creates an account, optionally with credit. */
export async function create(
  { database, operatorLogKey }: { database: Database; operatorLogKey: string | null },
  name: string,
  options: {
    readonly strictness?: Strictness;
    readonly credit?: bigint;
    readonly externalId?: string;
  },
): Promise<Answer> {
  const { strictness = null, credit = 0n, externalId = null } = options;
  const { id, outcome } = await createAccountOnce(
    database,
    { name, externalId, strictness, creditMicroEur: credit, key: null },
    { actor: readActor(), action: "accounts create", operatorLogKey, requestId: null },
  );
  const answer = await show(database, id);
  if (externalId === null) return answer;
  return {
    json: { ...(answer.json as object), external_id: externalId, outcome },
    text: `${answer.text}\nOutcome     ${outcome}`,
  };
}

export async function list(database: Database): Promise<Answer> {
  const accounts = await listAccounts(database);
  const headings = ["ID", "NAME", "BALANCE", "HELD", "STRICTNESS", "STATUS", "CREATED"];
  const rows = accounts.map((account) => [
    account.id,
    account.name,
    formatEur(account.balanceMicroEur),
    formatEur(account.heldMicroEur),
    account.strictness,
    statusOf(account),
    account.createdAt.toISOString(),
  ]);
  return { json: { accounts: accounts.map(asJson) }, text: table(headings, rows) };
}

/** @throws Error for an unknown account. */
export async function show(database: Database, accountId: string): Promise<Answer> {
  const account = await requireAccount(database, accountId);
  const text = [
    `Account     ${account.id}`,
    `Name        ${account.name}`,
    `Balance     ${formatEur(account.balanceMicroEur)} EUR`,
    `Held        ${formatEur(account.heldMicroEur)} EUR`,
    `Strictness  ${account.strictness}`,
    `Unfinished  ${account.unfinishedJobs} jobs`,
    `Status      ${statusOf(account)}`,
    `Created     ${account.createdAt.toISOString()}`,
  ].join("\n");
  return { json: asJson(account), text };
}

/**
 * Lists the ledger entries of an account, newest first.
 *
 * @param limit maximum number of lines.
 * @throws Error for an unknown account.
 */
export async function statement(
  database: Database,
  accountId: string,
  limit: number,
): Promise<Answer> {
  const account = await requireAccount(database, accountId);
  const lines = await readStatement(database, { accountId, limit });
  const headings = ["BOOKED", "KIND", "AVAILABLE", "HELD", "CHARGED", "BALANCE", "FOR"];
  const rows = lines.map((line) => [
    line.bookedAt.toISOString(),
    line.kind,
    formatEur(line.availableMicroEur),
    formatEur(line.heldMicroEur),
    formatEur(line.chargedMicroEur),
    formatEur(line.balanceMicroEur),
    [line.generationId, line.reference].filter((part) => part !== null).join(" "),
  ]);
  return {
    json: { account_id: accountId, transfers: lines.map(transferAsJson) },
    text: lines.length === 0 ? `"${account.name}" has no ledger entries.` : table(headings, rows),
    ...(lines.length < limit ? {} : { note: "There may be older entries: increase --limit." }),
  };
}

/** @throws Error for an unknown account; BookingError for an amount that cannot be booked. */
export function addCredit(database: Database, movement: CreditMovement): Promise<Answer> {
  return moveCredit(database, movement, topUp, "added to");
}

/** @throws Error for an unknown account; BookingError for an amount that cannot be booked. */
export function takeCredit(database: Database, movement: CreditMovement): Promise<Answer> {
  return moveCredit(database, movement, withdraw, "taken from");
}

async function moveCredit(
  database: Database,
  movement: CreditMovement,
  book: typeof topUp | typeof withdraw,
  done: "added to" | "taken from",
): Promise<Answer> {
  const { accountId, amountMicroEur, reference } = movement;
  await requireAccount(database, accountId);
  const booked = await book(database, movement);
  const { name, balanceMicroEur } = await requireAccount(database, accountId);
  const balance_eur = formatEur(balanceMicroEur);
  const outcome = booked
    ? `${formatEur(amountMicroEur)} EUR were ${done} "${name}".`
    : `Nothing was ${done} "${name}": "${reference}" was booked before.`;
  return {
    json: { account_id: accountId, booked, reference, balance_eur },
    text: `${outcome} The balance is ${balance_eur} EUR.`,
  };
}

/**
 * Refunds a job, also an archived one, whose key and model are in the storage. The line of the operator log is about
 * the account, so that its export has it.
 *
 * @throws AppError or BookingError as `refundJob` does.
 */
export async function refund(
  {
    database,
    operatorLogKey,
    storageUrl,
  }: { database: Database; operatorLogKey: string | null; storageUrl: string | null },
  request: RefundRequest,
): Promise<Answer> {
  const [account] = await database.query<{ id: string }>(
    `SELECT id FROM account WHERE id IN (${accountOfJob})`,
    [request.generationId],
  );
  if (account !== undefined) {
    await recordAlone(database, operatorLogKey, {
      actor: readActor(),
      action: "accounts refund",
      targetId: account.id,
      fields: ["balance", "refund", `job ${request.generationId}`],
      requestId: null,
      personal: null,
    });
  }
  const refunded = await refundJob(database, request, (generationId) =>
    findArchived(database, storageUrl, generationId),
  );
  const { generationId, reference } = request;
  const amount_eur = formatEur(refunded.amountMicroEur);
  const balance_eur = formatEur(refunded.balanceMicroEur);
  const rest = formatEur(refunded.chargedMicroEur - refunded.refundedMicroEur);
  const outcome = refunded.booked
    ? `${amount_eur} EUR of job ${generationId} were refunded.`
    : `Nothing was refunded: "${reference}" was booked before, with ${amount_eur} EUR.`;
  return {
    json: {
      account_id: refunded.accountId,
      job_id: generationId,
      booked: refunded.booked,
      reference,
      amount_eur,
      charged_eur: formatEur(refunded.chargedMicroEur),
      refunded_eur: formatEur(refunded.refundedMicroEur),
      balance_eur,
    },
    text: `${outcome} Of its charge, ${rest} EUR remain. The balance of account ${refunded.accountId} is ${balance_eur} EUR.`,
  };
}

async function findArchived(database: Database, storageUrl: string | null, generationId: string) {
  if (storageUrl === null) {
    throw new Error(
      `Job ${generationId} is not in the database. If it is archived, set STORAGE_URL to the value of the API.`,
    );
  }
  // Loading them takes longer than the commands of this file.
  const { findArchivedCharge } = await import("@atelier/generations/archive");
  const { openStored } = await import("./open-stored.ts");
  const storage = await openStored(storageUrl);
  try {
    return await findArchivedCharge(database, storage, generationId);
  } finally {
    await storage.close();
  }
}

/** @throws Error for an unknown account. */
export async function suspendOrResume(
  database: Database,
  accountId: string,
  suspended: boolean,
): Promise<Answer> {
  const isChanged = await setSuspended(database, accountId, suspended);
  const account = await requireAccount(database, accountId);
  if (!isChanged) throw new Error("The account was erased. It can't be changed.");
  const text = suspended
    ? `"${account.name}" is suspended: its requests return 403 until it is resumed. Accepted jobs are completed.`
    : `"${account.name}" is active again.`;
  return { json: asJson(account), text };
}

/** @throws Error for an unknown account. */
export async function changeStrictness(
  database: Database,
  accountId: string,
  strictness: Strictness,
): Promise<Answer> {
  await updateAccount(database, accountId, { strictness });
  const account = await requireAccount(database, accountId);
  const text = `"${account.name}" has the default strictness "${strictness}" from now on.`;
  return { json: asJson(account), text };
}

/** @throws Error for an unknown account. */
export async function requireAccount(database: Database, accountId: string): Promise<AccountInfo> {
  const account = await findAccount(database, accountId);
  if (account === null) throw new Error(`Account ${accountId} does not exist.`);
  return account;
}

function statusOf(account: AccountInfo): string {
  if (account.erasedAt !== null) return "erased";
  return account.suspendedAt === null ? "active" : "suspended";
}

function asJson(account: AccountInfo): object {
  return {
    id: account.id,
    name: account.name,
    balance_eur: formatEur(account.balanceMicroEur),
    held_eur: formatEur(account.heldMicroEur),
    strictness: account.strictness,
    unfinished_jobs: account.unfinishedJobs,
    status: statusOf(account),
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  };
}

function transferAsJson(line: StatementLine): object {
  return {
    id: line.transferId,
    kind: line.kind,
    booked_at: line.bookedAt.toISOString(),
    available_eur: formatEur(line.availableMicroEur),
    held_eur: formatEur(line.heldMicroEur),
    charged_eur: formatEur(line.chargedMicroEur),
    balance_eur: formatEur(line.balanceMicroEur),
    job_id: line.generationId,
    reference: line.reference,
  };
}
