import type { ChangeCollectionRequest } from "@atelier/client";
import { deleteCollection, listCollections } from "@atelier/schemas/endpoints";
import type { Command } from "commander";
import { properties } from "../answer.ts";
import type { Call, CallFlags } from "./call.ts";
import { leaf } from "./leaf.ts";
import { addDelete, addList } from "./resource.ts";

/** Adds the commands for collections of jobs. */
export function addCollections(program: Command, call: Call): void {
  const group = program
    .command("collections")
    .description("put jobs together, and list, rename and delete collections");

  addList(group, call, listCollections, {
    ID: "id",
    NAME: "name",
    JOBS: "jobs",
    CREATED: "created_at",
  });

  leaf(group, "create", "create a collection, or find the one with this name, and print its id")
    .argument("<name>", "its name")
    .action((name: string, flags: CallFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const collection = await atelier.collections.create(name, { signal });
        return { json: collection, text: collection.id };
      }, flags),
    );

  const update = (id: string, change: ChangeCollectionRequest, flags: CallFlags) =>
    call(async ({ atelier, follow: { signal } }) => {
      const collection = await atelier.collections.update(id, change, { signal });
      const rows = [
        ["Collection", collection.id],
        ["Name", collection.name],
        ["Jobs", String(collection.jobs)],
        ["Created", collection.created_at],
      ] as const;
      return { json: collection, text: properties(rows) };
    }, flags);

  leaf(group, "rename", "rename a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<name>", "its new name")
    .action((id: string, name: string, flags: CallFlags) => update(id, { name }, flags));

  leaf(group, "add", "add jobs to a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<job-id...>", "ids of the jobs")
    .action((id: string, add: readonly string[], flags: CallFlags) => update(id, { add }, flags));

  leaf(group, "remove", "remove jobs from a collection")
    .argument("<collection-id>", "id of the collection")
    .argument("<job-id...>", "ids of the jobs")
    .action((id: string, remove: readonly string[], flags: CallFlags) =>
      update(id, { remove }, flags),
    );

  addDelete(group, call, deleteCollection, "collection", "delete a collection; its jobs stay");
}
