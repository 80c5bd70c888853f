import { readFile } from "node:fs/promises";
import { namesOf, operations, type Operation } from "@atelier/schemas";
import { deletePreset, listPresets } from "@atelier/schemas/endpoints";
import { Argument, type Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import { leaf } from "./leaf.ts";
import { readRequest } from "./read-request.ts";
import { addDelete, addList } from "./resource.ts";

interface SaveFlags extends CallFlags {
  readonly picture?: string;
}

/** Adds the commands for presets of requests. */
export function addPresets(program: Command, call: Call): void {
  const group = program
    .command("presets")
    .description("save properties of requests under a name, list and delete them");

  addList(group, call, listPresets, {
    ID: "id",
    NAME: "name",
    OPERATION: "operation",
    SAVED: "saved_at",
  });

  leaf(group, "save", "save a preset, in place of the one with this name, and print its id")
    .argument("<name>", "its name")
    .addArgument(new Argument("<operation>", "its operation").choices(namesOf(operations)))
    .argument("<file>", "properties of a request, in JSON or YAML")
    .option("-p, --picture <file>", "a small picture, at most 8,192 bytes of WebP, JPEG or PNG")
    .action((name: string, operation: Operation, file: string, flags: SaveFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request = await readRequest(file, "a request");
        const picture =
          flags.picture === undefined ? {} : { picture: await readFile(flags.picture, "base64") };
        const body = { name, operation, request, ...picture };
        const preset = await atelier.presets.save(body, { signal });
        return { json: preset, text: preset.id };
      }, flags),
    );

  leaf(group, "show", "print the properties of a preset")
    .argument("<preset-id>", "id of the preset")
    .action((id: string, flags: CallFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const preset = await atelier.presets.get(id, { signal });
        return { json: preset, text: JSON.stringify(preset.request, null, 2) };
      }, flags),
    );

  addDelete(group, call, deletePreset, "preset");
}
