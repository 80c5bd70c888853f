import type { Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import * as collections from "./collections.ts";
import { leaf, paged } from "./leaf.ts";

/** Adds the commands for collections of jobs. */
export function addCollections(program: Command, call: Call): void {
  const group = program
    .command("collections")
    .description("put jobs together, and list, rename and delete collections");

  paged(
    leaf(group, "list", "list collections, the newest first", { isDefault: true }),
    (query, flags) => call((caller) => collections.list(caller, query), flags),
  );

  leaf(group, "create", "create a collection, or find the one with this name, and print its id")
    .argument("<name>", "its name")
    .action((name: string, flags: CallFlags) =>
      call((caller) => collections.create(caller, name), flags),
    );

  leaf(group, "rename", "rename a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<name>", "its new name")
    .action((id: string, name: string, flags: CallFlags) =>
      call((caller) => collections.update(caller, id, { name }), flags),
    );

  leaf(group, "add", "add jobs to a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<job-id...>", "ids of the jobs")
    .action((id: string, add: readonly string[], flags: CallFlags) =>
      call((caller) => collections.update(caller, id, { add }), flags),
    );

  leaf(group, "remove", "remove jobs from a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<job-id...>", "ids of the jobs")
    .action((id: string, remove: readonly string[], flags: CallFlags) =>
      call((caller) => collections.update(caller, id, { remove }), flags),
    );

  leaf(group, "delete", "delete a collection; its jobs stay")
    .argument("<collection-id>", "id of the collection")
    .action((id: string, flags: CallFlags) =>
      call((caller) => collections.remove(caller, id), flags),
    );
}
