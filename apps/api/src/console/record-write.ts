import { OperatorLogKeyError, recordAlone } from "@atelier/audit";
import { accountOfJob, BookingError } from "@atelier/billing";
import type { Database } from "@atelier/database";
import { AppError } from "@atelier/schemas";
import { splitRoute, type Endpoint } from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { refusal } from "./refuse.ts";
import type { Operator } from "./session.ts";

/** A write that is admitted and parsed. */
interface Write {
  readonly caller: Operator;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Finds the account that a write changes. */
interface Owner {
  /** SQL for the id of the account; $1 is the id in the path of the write. */
  readonly sql: string;
  /** Creates the error for an id that does not exist. */
  readonly missing: () => AppError;
}

/** By the resource in the path of a write. */
const owners: Readonly<Record<string, Owner>> = {
  accounts: { sql: "$1", missing: accountNotFound },
  jobs: {
    sql: accountOfJob,
    missing: () => new AppError("job_not_found", "This job does not exist."),
  },
  keys: { sql: "SELECT account_id FROM api_key WHERE id = $1", missing: keyNotFound },
};

/**
 * Writes the line of the operator log about a write, before it happens: as with commands, the line says that it was
 * requested, not that it succeeded. Nothing is written about what does not exist.
 *
 * @returns the account that it changes; null for none, or a new one.
 * @throws AppError `change_refused` if the log refuses the line, or the account was erased.
 */
export async function recordWrite(
  { config, database, lanes }: Needs<"config" | "database" | "lanes">,
  endpoint: Endpoint,
  { caller, params, body }: Write,
  requestId: string,
): Promise<string | null> {
  const { recorded } = endpoint;
  if (recorded === undefined || recorded.byItself === true) return null;
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { fields = Object.keys(given), values = [], alone = {} } = recorded;
  const [only = "", ...others] = fields;
  const action = others.length === 0 && Object.hasOwn(alone, only) ? alone[only] : recorded.action;
  const id = params["id"] ?? null;
  const accountId = id === null ? null : await findOwner(database, endpoint, id);
  const isJob = accountId !== null && resourceOf(endpoint) === "jobs";
  const lane = params["name"];
  if (lane !== undefined && !lanes.includes(lane)) throw laneNotFound();
  const personal = Object.fromEntries(values.map((name) => [name, String(given[name])]));
  await orRefuse(
    recordAlone(database, config.OPERATOR_LOG_KEY ?? null, {
      actor: caller.actor,
      action: action ?? recorded.action,
      // The export of an account has the lines about it, and its erasure removes their values.
      targetId: isJob ? accountId : id,
      fields: [
        ...fields,
        ...(isJob ? [`job ${id}`] : []),
        ...(lane === undefined ? [] : [`lane ${lane}`]),
      ],
      requestId,
      personal: accountId === null || values.length === 0 ? null : { accountId, values: personal },
    }),
  );
  return accountId;
}

export function accountNotFound(): AppError {
  return new AppError("account_not_found", "This account does not exist. Search for it again.");
}

export function keyNotFound(): AppError {
  return new AppError("key_not_found", "This key does not exist.");
}

export function accountErased(): AppError {
  return refusal(
    "change_refused",
    "account_erased",
    "The account was erased. It can't be changed.",
  );
}

export function laneNotFound(): AppError {
  return new AppError(
    "lane_not_found",
    "There is no lane of this name. The page of health lists them.",
  );
}

/** The name after `/admin/v1/` in a path. */
function resourceOf(endpoint: Endpoint): string {
  const [, , , resource = ""] = splitRoute(endpoint).path.split("/");
  return resource;
}

/** The account of the id in a path. */
async function findOwner(
  database: Pick<Database, "query">,
  endpoint: Endpoint,
  id: string,
): Promise<string> {
  const owner = owners[resourceOf(endpoint)];
  if (owner === undefined) throw new Error(`no owner is known of ${endpoint.route}`);
  const [account] = await database.query<{ id: string; isErased: boolean }>(
    `SELECT id, erased_at IS NOT NULL AS "isErased" FROM account WHERE id IN (${owner.sql})`,
    [id],
  );
  if (account === undefined) throw owner.missing();
  if (account.isErased) throw accountErased();
  return account.id;
}

/** Turns what the ledger or the operator log refuses into the error that says so. */
export async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof BookingError || cause instanceof OperatorLogKeyError)) throw cause;
    const sentence = cause.message.charAt(0).toUpperCase() + cause.message.slice(1);
    const message = sentence.replace(/(?<![.!?])$/, ".");
    if (cause instanceof OperatorLogKeyError) {
      throw refusal("change_refused", "log_refused", message, { cause });
    }
    const { reason, values } = cause;
    throw refusal("change_refused", reason, message, { values, cause });
  }
}
