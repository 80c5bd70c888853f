import type { Peppers } from "@atelier/accounts";
import type { Environment } from "@atelier/configuration";
import type { Database } from "@atelier/database";
import type { Command } from "commander";
import type { Answer } from "../answer.ts";
import type { Remark } from "../remark.ts";
import type { CommonRunners } from "../run-program.ts";
import { operatorCommands } from "./operator-commands.ts";
import { pathOf, type RecordOperation } from "./record-commands.ts";

/** The resources of operator commands. */
interface Workplace {
  readonly database: Database;
  readonly keyPeppers: Peppers | null;
  readonly operatorLogKey: string | null;
  readonly storageUrl: string | null;
  readonly environment: Environment;
  readonly remark: Remark;
}

/** Runs a command on the database and prints its result. */
export type WithDatabase = (
  work: (workplace: Workplace) => Promise<Answer>,
  options: { readonly json?: boolean },
) => Promise<void>;

export interface Json {
  readonly json?: boolean;
}

/** Runs each kind of command. */
export interface Runners extends CommonRunners {
  readonly withDatabase: WithDatabase;
  readonly record: RecordOperation;
}

/** The work of a command, which receives the values and flags of its command line. */
type Work<Place, Given extends unknown[]> = (place: Place, ...given: Given) => Promise<Answer>;

export type Actions = ReturnType<typeof createActions>;

/** Binds what commands do to their resources. */
export function createActions({ withDatabase, withEnvironment }: Runners) {
  return {
    onDatabase: <Given extends unknown[]>(command: Command, work: Work<Workplace, Given>): void => {
      command.action((...given: unknown[]) =>
        withDatabase((workplace) => work(workplace, ...(given as Given)), command.opts<Json>()),
      );
    },
    onEnvironment: <Given extends unknown[]>(
      command: Command,
      work: Work<{ environment: Environment; remark: Remark }, Given>,
    ): void => {
      command.action((...given: unknown[]) =>
        withEnvironment(
          (environment, remark) => work({ environment, remark }, ...(given as Given)),
          command.opts<Json>(),
        ),
      );
    },
  };
}

/**
 * Adds a command of operators with the flag that all of them have.
 *
 * @throws Error for one that `operatorCommands` does not list: it would not be recorded.
 */
export function leaf(group: Command, called: string, description: string): Command {
  const command = group.command(called).description(description).option("--json", "print JSON");
  const path = pathOf(command);
  if (operatorCommands[path] === undefined) {
    throw new Error(`"${path}" is missing in the table of operators' commands`);
  }
  return command;
}
