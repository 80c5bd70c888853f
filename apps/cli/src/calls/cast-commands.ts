import { characters, locations } from "@atelier/schemas/endpoints";
import type { Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import * as cast from "./cast.ts";
import { leaf, seed } from "./leaf.ts";
import { addList, addShow } from "./resource.ts";

/** Adds the commands for kept characters and locations. */
export function addCast(program: Command, call: Call): void {
  addMembers(program, call, "character");
  addMembers(program, call, "location");
}

function addMembers(program: Command, call: Call, kind: cast.MemberKind): void {
  const group = program
    .command(`${kind}s`)
    .description(`keep a ${kind} of a story for later stories, list, change and delete them`);

  const endpoints = kind === "character" ? characters : locations;
  addList(group, call, endpoints.listAll, cast.columns);

  leaf(group, "keep", `keep a ${kind} of a completed story, and print its id`)
    .argument("<job-id>", "id of the story's job")
    .argument("<name>", "its name in the story")
    .option("--idempotency-key <key>", "repeat the command safely with the same key")
    .action((jobId: string, name: string, flags: CallFlags & cast.KeepFlags) =>
      call((caller) => cast.keep(caller, kind, { jobId, name, ...flags }), flags),
    );

  leaf(group, "draw", `draw a ${kind} from its description, and print its id when it is done`)
    .argument("<name>", "the name that stories show")
    .argument("<description>", "how it looks")
    .option("--model <id>", "a model that makes stories (default: the first)")
    .option("--style <style>", "the visual style")
    .option("--seed <seed>", "for the same pictures again, if the model supports seeds", seed)
    .option("--idempotency-key <key>", "repeat the command safely with the same key")
    .action((name: string, description: string, flags: CallFlags & cast.DrawFlags) =>
      call((caller) => cast.draw(caller, kind, { name, description, ...flags }), flags),
    );

  const description = `show a ${kind}, with new URLs`;
  addShow(group, call, endpoints.read, kind, cast.describe, ["show", description]);

  const changing = leaf(group, "change", `change a ${kind}; what no flag names stays`)
    .argument("<id>", `id of the ${kind}`)
    .option("--name <name>", "its new name")
    .option("--description <text>", "its new description")
    .option("--image <file>", "its new image");
  if (kind === "character") {
    changing
      .option("--state <key>", "a state to add or change")
      .option("--state-description <text>", "how the character looks in this state")
      .option("--state-image <file>", "the image of this state")
      .option("--remove-state <key>", "a state to remove");
  }
  changing.action((id: string, flags: CallFlags & cast.ChangeFlags) =>
    call((caller) => cast.change(caller, kind, id, flags), flags),
  );

  leaf(group, "delete", `delete a ${kind} with its images`)
    .argument("<id>", `id of the ${kind}`)
    .action((id: string, flags: CallFlags) =>
      call((caller) => cast.remove(caller, kind, id), flags),
    );
}
