import { cancelBatch, listBatches, readBatch } from "@atelier/schemas/endpoints";
import type { Command } from "commander";
import * as batches from "./batches.ts";
import type { Call, CallFlags } from "./call.ts";
import { format, leaf } from "./leaf.ts";
import { addList, addShow } from "./resource.ts";

/** Adds the commands for batches. */
export function addBatches(program: Command, call: Call): void {
  const group = program
    .command("batches")
    .description("send many requests at once, and follow, read and cancel them");

  addList(
    group,
    call,
    listBatches,
    {
      ID: "id",
      STATUS: "status",
      LINES: ({ counts }) => String(counts.total),
      COMPLETED: ({ counts }) => String(counts.completed),
      FAILED: ({ counts }) => String(counts.failed),
      EUR: "cost_eur",
      CREATED: "created_at",
    },
    "list batches, newest first",
  );

  leaf(group, "create", "create a batch, and print its id")
    .argument("<file>", "JSON lines, each with operation and body of a request; up to 50,000")
    .option("--idempotency-key <key>", "repeat the command safely with the same key")
    .option("--webhook-url <url>", "where the event of its end is sent")
    .action((file: string, flags: CallFlags & batches.CreateFlags) =>
      call((caller) => batches.create(caller, file, flags), flags),
    );

  addShow(group, call, readBatch, "batch", batches.describe);

  leaf(group, "wait", "wait until all lines of a batch have ended")
    .argument("<batch-id>", "id of the batch")
    .action((id: string, flags: CallFlags) => call((caller) => batches.wait(caller, id), flags));

  leaf(group, "results", "save the lines that have ended as JSON lines")
    .argument("<batch-id>", "id of the batch")
    .option("-o, --output <file>", "the file (default: atelier-<batch-id>.jsonl)")
    .action((id: string, flags: CallFlags & batches.ResultsFlags) =>
      call((caller) => batches.results(caller, id, flags), flags),
    );

  leaf(group, "archive", "save the images of up to 500 lines as a ZIP")
    .argument("<batch-id>", "id of the batch")
    .option("-o, --output <file>", "the file (default: atelier-<batch-id>.zip)")
    .addOption(format())
    .option("--after-line <line>", "begin after this line (default: 0)")
    .action((id: string, flags: CallFlags & batches.ArchiveFlags) =>
      call((caller) => batches.archive(caller, id, flags), flags),
    );

  addShow(group, call, cancelBatch, "batch", batches.describe, [
    "cancel",
    "cancel what is unfinished",
  ]);
}
