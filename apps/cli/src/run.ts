import { createDatabase } from "@atelier/database";
import { findConnection } from "./connection.ts";
import type { WithDatabase } from "./operators/command.ts";
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
    createProgram({ ...runners, withDatabase: openingDatabase(runners.withEnvironment) }, output),
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
    withEnvironment(async (environment) => {
      const { databaseUrl: url, keyPeppers } = await findConnection(environment);
      const database = createDatabase({
        url,
        poolSize: 1,
        applicationName: "atelier-cli",
        // A report of costs reads all calls of its days.
        statementTimeoutMs: 600_000,
      });
      try {
        await database.check().catch((cause: unknown) => {
          throw new Error(`The database is unreachable: ${describe(cause)}`, { cause });
        });
        return await work({ database, keyPeppers, environment });
      } finally {
        await database.close();
      }
    }, options);
}
