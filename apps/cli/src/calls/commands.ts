import { Option, type Command } from "commander";
import type { JobQuery } from "@atelier/client";
import { listJobsQuery, operations } from "@atelier/schemas";
import {
  cancelJob,
  deleteJobImages,
  keepJob,
  listJobDeliveries,
  readJob,
  releaseJob,
} from "@atelier/schemas/endpoints";
import { addAccountCalls } from "./account/account-commands.ts";
import { addAssist } from "./assist-commands.ts";
import { addBatches } from "./batch-commands.ts";
import { addCast } from "./cast-commands.ts";
import { addCollections } from "./collection-commands.ts";
import { addPresets } from "./preset-commands.ts";
import { balance } from "./account/balance.ts";
import type { Call, CallFlags } from "./call.ts";
import * as jobs from "./jobs.ts";
import { format, leaf, paged, pair, wholeNumber } from "./leaf.ts";
import * as models from "./models.ts";
import { addOperations } from "./operation-commands.ts";
import { addShow, showPages } from "./resource.ts";
import * as skills from "./skills.ts";
import { upload } from "./upload.ts";
import { addShares } from "./share-commands.ts";
import { addWebhooks } from "./webhook-commands.ts";
import { deliveryColumns } from "./webhooks.ts";

/** Adds the commands for callers. */
export function addCalls(program: Command, call: Call): void {
  addOperations(program, call, operations);
  addUploads(program, call);
  addJobs(program, call);
  addCast(program, call);
  addCollections(program, call);
  addPresets(program, call);
  addAssist(program, call);
  addShares(program, call);
  addBatches(program, call);
  addSkills(program, call);

  leaf(program, "balance", "show the balance").action((flags: CallFlags) => call(balance, flags));
  addAccountCalls(program, call);
  addWebhooks(program, call);
}

/** Adds `models list`, the default of `models`. */
export function addListModels(group: Command, call: Call): void {
  leaf(group, "list", "list models and prices", { isDefault: true }).action((flags: CallFlags) =>
    call(models.list, flags),
  );
}

function addJobs(program: Command, call: Call): void {
  const group = program.command("jobs").description("list, show, wait for, keep and cancel jobs");
  const filters = listJobsQuery.shape;

  leaf(group, "list", "list jobs, newest first", { isDefault: true })
    .addOption(
      new Option("--status <status>", "only jobs with this status").choices(
        filters.status.unwrap().options,
      ),
    )
    .addOption(
      new Option("--kind <kind>", "only jobs of this kind").choices(filters.kind.unwrap().options),
    )
    .addOption(
      new Option("--operation <operation>", "only jobs of this operation").choices(
        filters.operation.unwrap().options,
      ),
    )
    .addOption(
      new Option("--mode <mode>", "only jobs of this mode (default: that of the key)").choices(
        filters.mode.unwrap().options,
      ),
    )
    .option("--model <id>", "only jobs that requested this model")
    .option(
      "--words <words>",
      "only jobs with these words, or the beginning of the last one, in their prompt",
    )
    .option("--hash <sha256>", "only the job that made the file with this SHA-256")
    .option(
      "--similar-to <sha256>",
      "only jobs whose images look like the image with this SHA-256, such as an image_hash",
    )
    .option("--starred", "only starred jobs")
    .option("--collection <id>", "only jobs in this collection")
    .option("--metadata <name=value>", "only jobs with this metadata", pair)
    .option("--after <time>", "only jobs created at this time or later, in ISO 8601")
    .option("--before <time>", "only jobs created before this time, in ISO 8601")
    .option("--limit <count>", "maximum number, 1 to 100", wholeNumber)
    .option("--cursor <cursor>", "next_cursor of the previous page")
    .action(
      ({ words, similarTo, after, before, json, url, key, ...query }: CallFlags & ListFlags) => {
        const filtered = {
          ...query,
          ...(words !== undefined && { q: words }),
          ...(similarTo !== undefined && { similar_to: similarTo }),
          ...(after !== undefined && { created_after: after }),
          ...(before !== undefined && { created_before: before }),
        };
        const flags = {
          ...(json !== undefined && { json }),
          ...(url !== undefined && { url }),
          ...(key !== undefined && { key }),
        };
        return call((caller) => jobs.list(caller, filtered), flags);
      },
    );

  leaf(group, "archive", "save all images of a completed job, or of up to 500 jobs, as a ZIP")
    .argument("<job-ids...>", "ids of the jobs")
    .option(
      "-o, --output <file>",
      "the file (default: atelier-<job-id>.zip; of several jobs atelier-images.zip)",
    )
    .addOption(format())
    .action((ids: string[], flags: CallFlags & jobs.ArchiveFlags) =>
      call((caller) => jobs.archive(caller, ids, flags), flags),
    );

  addShow(group, call, deleteJobImages, "job", jobs.describe, [
    "delete-images",
    "delete the images of a job before their retention is over",
  ]);

  addShow(group, call, keepJob, "job", jobs.describe, [
    "keep",
    "keep the images of a job until they are deleted",
  ]);

  addShow(group, call, releaseJob, "job", jobs.describe, [
    "release",
    "stop keeping the images of a job",
  ]);

  paged(leaf(group, "kept", "list what the account keeps, with its quota"), (query, flags) =>
    call((caller) => jobs.listKept(caller, query), flags),
  );

  addShow(group, call, readJob, "job", jobs.describe);

  leaf(group, "update", "change the title, the star or the book of a job")
    .argument("<job-id>", "id of the job")
    .option("--title <title>", "show and find it by this title")
    .option("--no-title", "by the one it was made with")
    .option("--star", "add it to the starred jobs")
    .option("--no-star", "remove it from them")
    .option("--book <file>", "store the JSON object of a file with it")
    .option("--no-book", "delete its book")
    .action((id: string, flags: CallFlags & jobs.UpdateFlags) =>
      call((caller) => jobs.update(caller, id, flags), flags),
    );

  addShow(group, call, cancelJob, "job", jobs.describe, [
    "cancel",
    "cancel an image that has not started, or a story",
  ]);

  const deliveries = leaf(
    group,
    "deliveries",
    "list deliveries to the webhook_url of a job, newest first",
  ).argument("<job-id>", "id of the job");
  showPages(deliveries, call, listJobDeliveries, deliveryColumns, "job");

  leaf(group, "watch", "print the events of a job until it is final")
    .argument("<job-id>", "id of the job")
    .action((id: string, flags: CallFlags) => call((caller) => jobs.watch(caller, id), flags));

  leaf(group, "wait", "wait for a job")
    .argument("<job-id>", "id of the job")
    .option("-o, --output <path>", "save its images to a folder, or a single image to a file")
    .addOption(format())
    .action((id: string, flags: CallFlags & jobs.WaitFlags) =>
      call((caller) => jobs.wait(caller, id, flags), flags),
    );
}

interface ListFlags extends Pick<
  JobQuery,
  | "status"
  | "kind"
  | "operation"
  | "model"
  | "hash"
  | "collection"
  | "starred"
  | "limit"
  | "cursor"
  | "metadata"
> {
  readonly words?: string;
  readonly similarTo?: string;
  readonly after?: string;
  readonly before?: string;
}

function addUploads(program: Command, call: Call): void {
  leaf(program, "upload", "upload an image for requests to refer to, and print its id")
    .argument("<file>", "a PNG, JPEG, WebP or AVIF")
    .action((file: string, flags: CallFlags) => call((caller) => upload(caller, file), flags));
}

function addSkills(program: Command, call: Call): void {
  const group = program
    .command("skills")
    .description("list and download skill files for AI assistants");

  leaf(group, "list", "list skill files and their formats", { isDefault: true }).action(
    (flags: CallFlags) => call(skills.list, flags),
  );

  leaf(group, "download", "save a skill file, with a new key for it")
    .argument("<slug>", "slug of the list")
    .option("--budget <eur>", "what the key may spend in total", "2.00")
    .option("--expires-in-days <days>", "when the key expires", wholeNumber, 30)
    .option("--name <name>", "name of the key in lists (default: Skill file and the slug)")
    .option("--own-key", "put your own key into the file, with all that it may do")
    .addOption(
      new Option("--no-embed-key", "put YOUR_API_KEY in place of a key").conflicts("ownKey"),
    )
    .option("-f, --format <format>", "a format of the list (default: the first)")
    .option("-o, --output <path>", "a file or an existing folder", ".")
    .action((slug: string, flags: CallFlags & skills.DownloadFlags) =>
      call((caller) => skills.download(caller, slug, flags), flags),
    );
}
