import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram, type Perform } from "./program.ts";

const id = "01890000-0000-7000-8000-000000000000";

/** Parses a command line; says whether the work behind it was begun. */
async function parse(...args: string[]): Promise<boolean> {
  let performed = false;
  const perform: Perform = async () => {
    performed = true;
  };
  const program = createProgram(perform, async () => undefined);
  for (const command of [
    program,
    ...program.commands.flatMap((group) => [group, ...group.commands]),
  ]) {
    command.configureOutput({ writeErr: () => undefined });
  }
  await program.parseAsync(args, { from: "user" });
  return performed;
}

describe("the operator's commands", () => {
  it.each([
    ["accounts", "create", "Studio", "--strictness", "liberal", "--credit", "10"],
    ["accounts", "list", "--json"],
    ["accounts", "show", id],
    ["accounts", "top-up", id, "0.25", "--reference", "invoice 7"],
    ["accounts", "suspend", id],
    ["accounts", "resume", id],
    ["keys", "create", id, "--name", "laptop"],
    ["keys", "list", id],
    ["keys", "revoke", id],
  ])("have %s %s", async (...args) => {
    expect(await parse(...args)).toBe(true);
  });

  it.each([
    ["an unknown command", ["accounts", "destroy"]],
    ["no command", ["accounts"]],
    ["an unknown option", ["accounts", "list", "--all"]],
    ["a missing argument", ["accounts", "show"]],
    ["an argument too many", ["accounts", "show", id, id]],
    ["something that is no id", ["accounts", "show", "1"]],
    ["something that is no amount", ["accounts", "top-up", id, "1,50"]],
    ["nothing to add", ["accounts", "top-up", id, "0"]],
    ["less than nothing", ["accounts", "create", "x", "--credit", "-1"]],
    ["an empty name", ["accounts", "create", " "]],
    ["an unknown strictness", ["accounts", "create", "x", "--strictness", "none"]],
  ])("refuse %s before anything is done", async (_, args) => {
    await expect(parse(...args)).rejects.toThrow(CommanderError);
  });
});
