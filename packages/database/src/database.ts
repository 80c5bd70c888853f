import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { PrismaClient } from "./generated/client.ts";
import { listen, type Listener } from "./listen.ts";
import { createPipelinedSql } from "./pipelined.ts";
import { type Sql, sqlOf } from "./sql.ts";
import { isTransient } from "./transient.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections that this process opens, beside the one that `pipelined` shares. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The longest that one statement may take; half a minute when left out. */
  readonly statementTimeoutMs?: number;
  /** An idle connection broke; the pool replaces it. */
  readonly onConnectionError?: (error: Error) => void;
}

export interface Database extends Sql {
  /**
   * Single statements that are run again, as transactions are, when the connection was lost: for
   * those that may run twice without harm, since the first run may have been committed.
   */
  readonly repeatable: Sql;
  /**
   * Short statements that look up or change a row by its key, over one connection that they share:
   * where many ask at once, both sides are woken once for all of them. Nothing here may wait for long,
   * since the others wait behind it.
   */
  readonly pipelined: Sql;
  /**
   * Prisma's client, for plain reads and writes of accounts and keys (decision 001). Loaded when it is
   * first asked for: it takes 25 MB, which workers need not have.
   */
  prisma(): Promise<PrismaClient>;
  /**
   * Runs `work` in one transaction (read committed). Serialisation failures, deadlocks and lost
   * connections run it again from the start, up to four times: `work` must therefore find out
   * itself when an earlier run was committed although the answer was lost.
   *
   * Statements that `work` starts without waiting for each other share a round trip; where one
   * fails, those after it fail too, and nothing is committed.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Calls `onPayload` for every NOTIFY on the channel, over a connection that is kept up. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<Listener>;
  /** @throws when the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const maxRuns = 5;

/** Opens a pool that Prisma and plain SQL share. Connects on first use. */
export function createDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = 30_000 } = options;
  const onConnectionError = (error: Error) => options.onConnectionError?.(error);
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    // A process that freezes in a transaction, or a host that vanishes, must not hold its rows for
    // ever; and a connection that is only half open must not hold its caller.
    idle_in_transaction_session_timeout: 10_000,
    lock_timeout: 10_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: typeParser },
  };
  const pool = new pg.Pool({ ...connection, max: options.poolSize });
  pool.on("error", onConnectionError);
  const pipelined = createPipelinedSql(connection, onConnectionError);
  let prisma: Promise<PrismaClient> | undefined;

  async function runOnce<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // Without a listener, a connection that breaks between two statements would end the process.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      // Sent with the first statement. Where it cannot be, neither can what follows.
      const begun = client.query("BEGIN");
      begun.catch(() => undefined);
      const result = await work(sqlOf(client));
      await begun;
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  const sql = sqlOf(pool);
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
    repeatable: { query: (text, values) => repeat(() => sql.query(text, values)) },
    transaction: (work) => repeat(() => runOnce(work)),
    listen: (channel, onPayload) => listen(options.url, channel, onPayload),
    async check() {
      await pool.query("SELECT 1");
    },
    async close() {
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

/** Runs `work` again, from the start, after failures that pass. */
async function repeat<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await work();
    } catch (error) {
      if (run === maxRuns || !isTransient(error)) throw error;
      // A database that restarts needs seconds; what was committed is found by the next run.
      await delay(100 * 4 ** (run - 1) * (0.5 + Math.random() / 2));
    }
  }
}

const bigintType = pg.types.builtins.INT8;

const typeParser: pg.CustomTypesConfig["getTypeParser"] = (id, format) =>
  id === bigintType ? BigInt : pg.types.getTypeParser(id, format);
