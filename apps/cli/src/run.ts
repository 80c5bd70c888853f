import { createDatabase, type Database } from "@atelier/database";
import type { Environment } from "@atelier/configuration";
import { findConnection, type Connection } from "./connection.ts";
import type { WithDatabase } from "./operators/command.ts";
import type { RecordOperation } from "./operators/record-commands.ts";
import { createProgram } from "./program.ts";
import {
  describe,
  runProgram,
  type Program,
  type Surroundings,
  type WithEnvironment,
} from "./run-program.ts";

const operatorProgram: Program = {
  name: "npm run atelier --",
  usesCurrentFolder: true,
  create: (runners, output) =>
    createProgram(
      {
        ...runners,
        withDatabase: openingDatabase(runners.withEnvironment),
        record: recordingIn(runners.readSettings),
      },
      output,
    ),
};

/**
 * Runs one command line of operators and callers.
 *
 * @param args without the names of Node and the program.
 * @returns the exit code, see `exitCodes`.
 */
export function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  return runProgram(operatorProgram, args, surroundings);
}

/** Opens the database for one command. */
function openingDatabase(withEnvironment: WithEnvironment): WithDatabase {
  return (work, options) =>
    withEnvironment(
      (environment, remark) =>
        withConnection(environment, (database, { keyPeppers, operatorLogKey, storageUrl }) =>
          work({ database, keyPeppers, operatorLogKey, storageUrl, environment, remark }),
        ),
      options,
    );
}

/** Writes lines of the operator log of the installation that the command works on. */
function recordingIn(readSettings: () => Environment): RecordOperation {
  return (operation) =>
    withConnection(readSettings(), async (database, { operatorLogKey }) => {
      // Loading it takes longer than a command that only reads.
      const { recordAlone } = await import("@atelier/audit");
      await recordAlone(database, operatorLogKey, operation).catch((cause: unknown) => {
        if ((cause as { code?: unknown }).code !== undefinedTable) throw cause;
        throw new Error(
          "The database has no operator log yet. Run migrate of this version first.",
          {
            cause,
          },
        );
      });
    });
}

/** SQLSTATE of a missing table. */
const undefinedTable = "42P01";

/** Runs work with the database of the installation in the environment. */
async function withConnection<Result>(
  environment: Environment,
  work: (database: Database, connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await findConnection(environment);
  const database = createDatabase({
    url: connection.databaseUrl,
    poolSize: 1,
    applicationName: "atelier-cli",
    // A report of costs reads all calls of its days.
    statementTimeoutMs: 600_000,
  });
  try {
    await database.check().catch((cause: unknown) => {
      throw new Error(`The database is unreachable: ${describe(cause)}`, { cause });
    });
    return await work(database, connection);
  } finally {
    await database.close();
  }
}
