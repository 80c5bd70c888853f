import { setTimeout as delay } from "node:timers/promises";
import { revokeKey, setSuspended } from "@atelier/accounts";
import type { Sql } from "@atelier/database";
import type { Stack } from "@atelier/testing";
import { sendHeaders } from "../shared/requests-in-flight.ts";

/** An account whose requests were in flight when it lost the right to them. */
export interface Revocation {
  readonly accountId: string;
  readonly requests: number;
  /** Responses that said that a job was accepted. */
  readonly accepted: number;
}

/** Revokes keys and suspends accounts between the headers and the bodies of their requests. */
export interface Revocations {
  readonly done: readonly Revocation[];
  /** Settles after the round in progress. */
  stop(): Promise<void>;
}

const inFlight = 8;
/** Time for the headers to arrive, and between rounds. */
const headersMs = 500;
const pauseMs = 1_500;

/** Starts rounds, each with an account of its own, until it is stopped. */
export function startRevocations(stack: Stack): Revocations {
  const done: Revocation[] = [];
  const stopping = new AbortController();
  const rounds = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      done.push(await runRound(stack, round % 2 === 0));
      await delay(pauseMs);
    }
  })();
  return {
    done,
    async stop() {
      stopping.abort();
      await rounds;
    },
  };
}

async function runRound(stack: Stack, isRevoked: boolean): Promise<Revocation> {
  const account = await untilDone(() => stack.createAccount("10"));
  const requests = Array.from({ length: inFlight }, () =>
    sendHeaders(stack.url, { Authorization: `Bearer ${account.key}` }),
  );
  await delay(headersMs);
  const { accountId, keyId } = account;
  await untilDone(async () => {
    if (isRevoked) await revokeKey(stack.database, keyId);
    else await setSuspended(stack.database, accountId, true);
  });
  for (const { finish } of requests) finish();
  const statuses = await Promise.all(requests.map(({ status }) => status));
  const accepted = statuses.filter((status) => status === 200 || status === 202).length;
  return { accountId, requests: inFlight, accepted };
}

/** Repeats an operation that fails while Postgres is restarted; it is safe to run twice. */
async function untilDone<Result>(operation: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await operation();
    } catch {
      await delay(500);
    }
  }
}

/** One line for each account that got a job after it had lost the right. */
export async function judgeRevocations(
  sql: Sql,
  revocations: readonly Revocation[],
): Promise<string[]> {
  const jobs = await sql.query<{ accountId: string; count: number }>(
    `SELECT account_id AS "accountId", count(*)::int AS count FROM generation
      WHERE account_id = ANY ($1::uuid[]) GROUP BY account_id`,
    [revocations.map(({ accountId }) => accountId)],
  );
  const stored = new Map(jobs.map(({ accountId, count }) => [accountId, count]));
  return revocations
    .filter(({ accountId, accepted }) => accepted + (stored.get(accountId) ?? 0) > 0)
    .map(
      ({ accountId, requests, accepted }) =>
        `${accepted} of ${requests} requests of account ${accountId} were accepted after its key was revoked or it was suspended (${stored.get(accountId) ?? 0} jobs)`,
    );
}
