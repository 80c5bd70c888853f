import { userInfo } from "node:os";
import type { Operation } from "@atelier/audit";
import type { Command } from "commander";
import { operatorCommands } from "./operator-commands.ts";

/** Writes a line of the operator log. */
export type RecordOperation = (operation: Operation) => Promise<void>;

/** Who runs a command, as far as this machine knows. */
export function readActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A container may run with a user that has no name.
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}

/** Records the commands of operators before they run: those that `operatorCommands` has as recorded `before`. */
export function recordCommands(program: Command, record: RecordOperation): void {
  program.hook("preAction", async (_, command) => {
    const operation = describe(command);
    if (operation !== null) await record(operation);
  });
}

/** The words by which a command is called, without the program. */
export function pathOf(command: Command): string {
  const { parent } = command;
  if (parent === null) return "";
  return `${pathOf(parent)} ${command.name()}`.trim();
}

/** @returns null for a command that is not recorded before it runs. */
function describe(command: Command): Operation | null {
  const action = pathOf(command);
  const recording = operatorCommands[action];
  // A text is the reason why a command is not recorded.
  if (recording === undefined || typeof recording === "string") return null;
  const { fields, target, personal, onlyWith } = recording;
  if (recording.recorded !== "before") return null;
  const options = command.opts<Readonly<Record<string, unknown>>>();
  if (onlyWith !== undefined && options[onlyWith] === undefined) return null;
  const [first = null] = command.processedArgs as (string | null)[];
  const targetId = target === undefined ? null : first;
  const name = personal === undefined ? null : options[personal];
  return {
    actor: readActor(),
    action,
    targetId,
    fields,
    requestId: null,
    personal:
      targetId === null || typeof name !== "string"
        ? null
        : { accountId: targetId, values: { name } },
  };
}
