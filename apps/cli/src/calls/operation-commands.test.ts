import { operations, type Operation } from "@atelier/schemas";
import { Command } from "commander";
import { expect, it } from "vitest";
import { addOperations } from "./operation-commands.ts";

it("adds a command for every operation of the record, with its summary in the help", () => {
  const collage = "collage" as Operation;
  const command = { name: "collage", summary: "make a collage, and save it" };
  const program = new Command().configureHelp({ helpWidth: 200 });
  addOperations(program, async () => undefined, {
    ...operations,
    [collage]: { ...operations.combine, command },
  });
  const help = program.helpInformation();
  for (const { command: described } of [...Object.values(operations), { command }]) {
    expect(help).toContain(described.summary);
  }
  expect(help).toMatch(/collage \[options\] <file> +make a collage, and save it/);
});
