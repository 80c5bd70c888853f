import { namesOf, operations, type Operation } from "@atelier/schemas";
import { Argument, type Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import { leaf, paged } from "./leaf.ts";
import * as presets from "./presets.ts";

/** Adds the commands for presets of requests. */
export function addPresets(program: Command, call: Call): void {
  const group = program
    .command("presets")
    .description("save properties of requests under a name, list and delete them");

  paged(
    leaf(group, "list", "list presets, the newest first", { isDefault: true }),
    (query, flags) => call((caller) => presets.list(caller, query), flags),
  );

  leaf(group, "save", "save a preset, in place of the one with this name, and print its id")
    .argument("<name>", "its name")
    .addArgument(new Argument("<operation>", "its operation").choices(namesOf(operations)))
    .argument("<file>", "properties of a request, in JSON or YAML")
    .action((name: string, operation: Operation, file: string, flags: CallFlags) =>
      call((caller) => presets.save(caller, name, operation, file), flags),
    );

  leaf(group, "show", "print the properties of a preset")
    .argument("<preset-id>", "id of the preset")
    .action((id: string, flags: CallFlags) => call((caller) => presets.show(caller, id), flags));

  leaf(group, "delete", "delete a preset")
    .argument("<preset-id>", "id of the preset")
    .action((id: string, flags: CallFlags) => call((caller) => presets.remove(caller, id), flags));
}
