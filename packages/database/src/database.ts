import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createConnectionGate } from "./connection-gate.ts";
import { assertClientGenerated } from "./generated-client.ts";
import type { PrismaClient } from "./generated/client.ts";
import { listen, type ChannelHandlers, type Listener, type ListenOptions } from "./listen.ts";
import { createNotifier } from "./notifier.ts";
import { createPipelinedSql } from "./pipelined.ts";
import { type Sql, sqlOf } from "./sql.ts";
import type { BoundStatement } from "./statement.ts";
import { inUtc, statementTimeouts } from "./statement-timeouts.ts";
import { isReadOnly, isTransient } from "./transient.ts";

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The same database without a pooler. When it is set, `url` is treated as a pooler in transaction mode:
   * statements have no names and connections no startup parameters, `listen` connects here, and the
   * time-outs and the time zone are those of the role (see `setRoleDefaults`).
   */
  readonly directUrl?: string | undefined;
  /** Maximum number of connections, in addition to the one that `pipelined` uses. */
  readonly poolSize: number;
  /** Connections that queues in Postgres may open in addition. Default: 0. */
  readonly queueConnections?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Statement timeout in ms, 30 s by default. Ignored with a pooler. */
  readonly statementTimeoutMs?: number;
  /** An idle connection broke, or notifications could not be sent; the pool replaces connections. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Access to Postgres:
 *
 *   `prisma`       plain reads and writes of resources: accounts, keys, webhooks, usage, settings
 *   `query`        one statement of SQL that fails when the connection is lost
 *   `repeatable`   one statement of SQL that is safe to run twice
 *   `pipelined`    one short statement that every request runs
 *   `transaction`  several statements of SQL that lock or change rows together
 *
 * SQL is for locks, money and the job flow. A file uses Prisma or SQL, never both (a test checks it).
 */
export interface Database extends Sql {
  /**
   * Runs one statement once, over any connection of the pool. For reads in the background, and for
   * changes whose caller handles a lost connection: the statement may have been committed.
   */
  query: Sql["query"];
  /**
   * Like `query`, and retried as a transaction is when the connection was lost. Only for statements
   * that are safe to run twice, since the first run may have been committed.
   */
  readonly repeatable: Sql;
  /**
   * Pipelined over one shared connection, so that concurrent callers share a round trip. For short
   * statements that read or change one row by its key. They must not wait for a lock, since all
   * later statements wait behind them.
   */
  readonly pipelined: Sql;
  /**
   * Prisma's client, for plain reads and writes of resources (decision 001). Loaded on first use,
   * since it takes 25 MB that workers do not need.
   */
  prisma(): Promise<PrismaClient>;
  /**
   * Runs `work` in one transaction (read committed). It is retried from the start, up to four times,
   * after serialization failures, deadlocks and lost connections. `work` must detect that an earlier
   * run was committed although its response was lost.
   *
   * Statements that `work` starts without awaiting each other share a round trip. When one fails, the
   * later ones fail too, and nothing is committed.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Like `transaction`, for statements that do not depend on each other's results: all of them are sent at
   * once with the COMMIT, so that their locks are held for no round trip.
   *
   * @returns the rows of each statement.
   */
  batch<Row extends object>(statements: readonly BoundStatement[]): Promise<Row[][]>;
  /**
   * Notifies the listeners of a channel soon, in a transaction of its own. To be called after the commit of
   * the change. The notification is lost when the process dies before: listeners also poll the rows.
   */
  notify(channel: string, payload: string): void;
  /** Handles every NOTIFY on these channels, over one connection that is reopened when it breaks. */
  listen(handlers: ChannelHandlers, options?: ListenOptions): Promise<Listener>;
  /** @throws when the database is unavailable. */
  check(): Promise<void>;
  /**
   * Breaks all connections, so that every running and later statement fails at once without a retry.
   * For a process that stops while the database is unavailable.
   */
  abandon(): void;
  close(): Promise<void>;
}

const maxRuns = 5;

/**
 * Time that a pool keeps an idle connection, in milliseconds. Opening one costs the server tens of
 * milliseconds of CPU time, so it should outlast the pauses between requests; a pool that grew in a burst
 * shrinks again.
 */
export const idleConnectionMs = 5 * 60_000;

/** Opens a pool that Prisma and plain SQL share. Connects on first use. */
export function createDatabase(options: DatabaseOptions): Database {
  assertClientGenerated();
  const { statementTimeoutMs = statementTimeouts.statement_timeout } = options;
  const isPooled = options.directUrl !== undefined;
  const onConnectionError = (error: Error) => options.onConnectionError?.(error);
  const gate = createConnectionGate();
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    ...(isPooled
      ? {}
      : { ...statementTimeouts, statement_timeout: statementTimeoutMs, options: inUtc }),
    // A connection that is only half open must not block its caller.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    stream: gate.open,
    pipeline: true,
    types: { getTypeParser: typeParser },
  };
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize,
    idleTimeoutMillis: idleConnectionMs,
  });
  pool.on("error", onConnectionError);
  const pipelined = createPipelinedSql(connection, { isPooled, onConnectionError });
  let prisma: Promise<PrismaClient> | undefined;

  /** Runs work on one connection, which is closed instead of reused when it broke or lost its primary. */
  async function withClient<Result>(
    work: (client: pg.PoolClient, markBroken: (cause: Error) => void) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const markBroken = (cause: Error) => {
      broken = cause;
    };
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", markBroken);
    try {
      return await work(client, markBroken);
    } catch (error) {
      // The server was demoted: the retry connects to the new primary.
      if (isReadOnly(error)) markBroken(error);
      throw error;
    } finally {
      client.off("error", markBroken);
      client.release(broken);
    }
  }

  function runOnce<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return withClient(async (client, markBroken) => {
      try {
        // Sent together with the first statement, which fails as well when BEGIN does.
        const begin = client.query("BEGIN");
        begin.catch(() => undefined);
        const result = await work(sqlOf(client, isPooled));
        await begin;
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch(markBroken);
        throw error;
      }
    });
  }

  function runBatch<Row extends object>(statements: readonly BoundStatement[]): Promise<Row[][]> {
    return withClient(async (client) => {
      const sql = sqlOf(client, isPooled);
      // After an error, COMMIT rolls back.
      const sent = [
        client.query("BEGIN"),
        ...statements.map(([text, values]) => sql.query<Row>(text, values)),
        client.query("COMMIT"),
      ];
      await Promise.allSettled(sent);
      const [, ...results] = await Promise.all(sent);
      return results.slice(0, -1) as Row[][];
    });
  }

  const repeat = <Result>(work: () => Promise<Result>) => repeatUnless(gate.closed, work);
  const sql = sqlOf(pool, isPooled);
  const repeatable: Sql = { query: (text, values) => repeat(() => sql.query(text, values)) };
  const notifier = createNotifier(repeatable, (error) =>
    onConnectionError(new Error("waiting notifications were lost", { cause: error })),
  );
  return {
    prisma() {
      prisma ??= openPrisma(pool).catch((error: unknown) => {
        prisma = undefined;
        throw error;
      });
      return prisma;
    },
    ...sql,
    pipelined,
    repeatable,
    transaction: (work) => repeat(() => runOnce(work)),
    batch: <Row extends object>(statements: readonly BoundStatement[]) =>
      repeat(() => runBatch<Row>(statements)),
    notify: (channel, payload) => notifier.notify(channel, payload),
    listen: (handlers, settings) =>
      listen(options.directUrl ?? options.url, handlers, {
        // The pool, and the connections of `pipelined` and of this call.
        connections: (isPooled ? 1 : options.poolSize + 2) + (options.queueConnections ?? 0),
        ...settings,
      }),
    async check() {
      await pool.query("SELECT 1");
    },
    abandon: () => gate.close(),
    async close() {
      await notifier.close();
      await (await prisma)?.$disconnect();
      await Promise.all([pool.end(), pipelined.close()]);
    },
  };
}

async function openPrisma(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import("@prisma/adapter-pg"),
    import("./generated/client.ts"),
  ]);
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}

/** Retries `work` from the start after transient failures, until `closed` aborts. */
async function repeatUnless<Result>(
  closed: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await work();
    } catch (error) {
      if (run === maxRuns || !isTransient(error) || closed.aborted) throw error;
      // A database restart takes seconds. The next run detects what was committed.
      const delayMs = 100 * 4 ** (run - 1) * (0.5 + Math.random() / 2);
      await delay(delayMs, undefined, { signal: closed }).catch(() => undefined);
    }
  }
}

const bigintType = pg.types.builtins.INT8;

const typeParser: pg.CustomTypesConfig["getTypeParser"] = (id, format) =>
  id === bigintType ? BigInt : pg.types.getTypeParser(id, format);
