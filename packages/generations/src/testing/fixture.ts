import type { Caller } from "@atelier/accounts";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import type { GenerationError, GenerationPlan } from "@atelier/schemas";
import { inject, vi } from "vitest";
import { acceptGeneration } from "../accept/accept.ts";
import { type NewGeneration } from "../accept/new-generation.ts";
import { createAcceptor } from "../accept/acceptor.ts";
import { claimRender, type Claim } from "../claims/claim.ts";
import type { StoredImage } from "../endings/finish.ts";
import { createFinisher } from "../endings/finisher.ts";
import { insertTestKey } from "./insert-test-key.ts";
import { atPrice, makeImagePlan, makeRender } from "./plans.ts";

export const lane = "test-lane";
export const decision = { moderator: "test", promptHash: Buffer.from("hash") };
/** A provider response for tests that do not depend on the call. */
export const answer = { callId: newId() };
export const error: GenerationError = {
  error: "provider_error",
  message: "It went wrong.",
  details: null,
};

const wanted = { model: "test-model", lane };

export const imagePlan = makeImagePlan(wanted);

/** Two portraits, then two scenes in sequence. */
export const storyPlan: GenerationPlan = {
  ...imagePlan,
  kind: "story",
  operation: "story",
  price: atPrice(200_000n),
  renders: [
    makeRender("portrait", wanted),
    makeRender("portrait", wanted),
    makeRender("scene", wanted, [0, 1]),
    makeRender("scene", wanted, [0, 1, 2]),
  ],
};

/** An accepted generation, with the ids of its renders in order. */
export interface AcceptedGeneration {
  readonly accountId: string;
  readonly generationId: string;
  readonly renders: readonly string[];
}

/** State of a generation with its renders and money, as one row. */
export interface State {
  readonly status: string;
  readonly renders: readonly string[];
  readonly charged: bigint | null;
  readonly settles: number;
  readonly releases: number;
  readonly available: bigint;
  readonly held: bigint;
  readonly unfinishedJobs: number;
  readonly unfinishedRenders: number;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/**
 * Opens a separate database with helpers to fill it.
 *
 * @param own a migrated database to use instead.
 */
export async function openFixture(own?: Pick<TestDatabase, "url" | "drop">) {
  const testDatabase = own ?? (await createTestDatabase(inject("postgresUrl")));
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 12,
    applicationName: "test",
    onConnectionError: () => undefined,
  });

  const acceptor = createAcceptor(database, { maxWaiting: 1_000, maxWaitMs: 10_000 });
  const finisher = createFinisher(database);

  async function accept(
    request: Partial<NewGeneration> = {},
    on: Database = database,
  ): Promise<AcceptedGeneration> {
    const accountId = request.accountId ?? (await makeAccount());
    const full = acceptRequest({ ...request, accountId });
    const acceptance = await (on === database ? acceptor.accept(full) : acceptGeneration(on, full));
    const { generationId } = acceptance;
    const renders = await database.query<{ id: string }>(
      "SELECT id FROM render WHERE generation_id = $1 ORDER BY position",
      [generationId],
    );
    return { accountId, generationId, renders: renders.map(({ id }) => id) };
  }

  async function makeAccount(balanceMicroEur = 10_000_000n): Promise<string> {
    const id = newId();
    await database.query(
      "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', $2)",
      [id, balanceMicroEur],
    );
    await insertTestKey(database, id);
    return id;
  }

  return {
    database,
    finisher,
    accept,
    makeAccount,
    /** A caller whose key has the id of its account. */
    async callerOf(accountId: string): Promise<Caller> {
      const [key] = await database.query<{ hash: Buffer }>(
        "SELECT hash FROM api_key WHERE id = $1",
        [accountId],
      );
      return {
        accountId,
        keyId: accountId,
        secretHashes: [key?.hash ?? Buffer.alloc(0)],
        sessionId: null,
        mode: "live",
        scopes: ["generate", "read", "manage"],
      } as unknown as Caller;
    },
    async claim(renderId: string | undefined): Promise<Claim> {
      const claim = await claimRender(database, renderId ?? "", lane);
      if (claim === null) throw new Error("there is nothing to claim");
      return claim;
    },
    async stateOf({ generationId }: Pick<AcceptedGeneration, "generationId">): Promise<State> {
      const [state] = await database.query<State>(
        `SELECT status, charged_micro_eur AS charged,
                ARRAY(SELECT status::text FROM render WHERE generation_id = generation.id
                       ORDER BY position) AS renders,
                (SELECT count(*)::int FROM ledger_transfer
                  WHERE generation_id = generation.id AND kind = 'settle') AS settles,
                (SELECT count(*)::int FROM ledger_transfer
                  WHERE generation_id = generation.id AND kind = 'release') AS releases,
                balance_micro_eur AS available, held_micro_eur AS held,
                unfinished_jobs AS "unfinishedJobs", unfinished_renders AS "unfinishedRenders"
           FROM generation JOIN account ON account.id = account_id
          WHERE generation.id = $1`,
        [generationId],
      );
      if (state === undefined) throw new Error(`there is no generation ${generationId}`);
      return state;
    },
    /** Outcomes of the calls for a render, in order. */
    async outcomesOf(renderId: string | undefined): Promise<(string | null)[]> {
      const calls = await database.query<{ outcome: string | null }>(
        "SELECT outcome FROM provider_call WHERE render_id = $1 ORDER BY attempt",
        [renderId],
      );
      return calls.map(({ outcome }) => outcome);
    },
    /** Waits until a statement that contains `text` is blocked by a lock. */
    async untilBlocked(text: string): Promise<void> {
      const isBlocked = async () => {
        const blocked = await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
              AND wait_event_type = 'Lock' AND position($1 IN query) > 0`,
          [text],
        );
        return blocked.length > 0;
      };
      await vi.waitUntil(isBlocked, { timeout: 10_000 });
    },
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}

export function acceptRequest(
  request: Partial<NewGeneration> & { readonly accountId: string },
): NewGeneration {
  return {
    keyId: request.accountId,
    plan: imagePlan,
    deadlineMs: 60_000,
    maxUnfinishedJobs: 100,
    idempotency: null,
    ...request,
  };
}

/** The files of a render. */
export function imagesOf({ renderId, attempt }: Claim): StoredImage[] {
  return (["png", "jpeg", "webp", "thumbnail"] as const).map((format) => ({
    format,
    storageKey: `renders/${renderId}/${attempt}.${format}`,
    sha256: "0".repeat(64),
    sizeBytes: 1,
    width: 1,
    height: 1,
    flattened: false,
    manifestId: null,
  }));
}

/** A database that rolls the first run of every transaction back, and runs it again after `meanwhile`. */
export function losingCommits(database: Database, meanwhile: () => Promise<unknown>): Database {
  return {
    ...database,
    async transaction(work) {
      const lost = new Error("the connection was lost before COMMIT");
      await database
        .transaction(async (sql) => {
          await work(sql);
          throw lost;
        })
        .catch((thrown: unknown) => {
          if (thrown !== lost) throw thrown;
        });
      await meanwhile();
      return database.transaction(work);
    },
  };
}

/** A database that loses the first response of every repeatable statement and transaction, so that it runs twice. */
export function losingResponses(database: Database): Database {
  async function twice<Result>(run: () => Promise<Result>): Promise<Result> {
    await run();
    return run();
  }
  return {
    ...database,
    repeatable: { query: (text, values) => twice(() => database.query(text, values)) },
    transaction: (work) => twice(() => database.transaction(work)),
    batch: (statements) => twice(() => database.batch(statements)),
  };
}
