import { readFile } from "node:fs/promises";
import { UsageError, type Environment } from "@atelier/configuration";
import type { Database } from "@atelier/database";
import {
  findJobs,
  presentFoundJobs,
  type ArchivedTrace,
  type FoundJobs,
  type JobClue,
  type JobOfAccount,
} from "@atelier/generations/inspect";
import { formatEur } from "@atelier/schemas";
import { properties, type Answer } from "./answer.ts";
import { exitCodes } from "./exit-codes.ts";
import { openIdentifier } from "./verify/verify-locally.ts";

export interface FindFlags {
  readonly file?: string;
  readonly hash?: string;
  readonly watermark?: string;
  readonly requestId?: string;
  readonly job?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly text?: string;
  readonly limit: number;
}

/**
 * Finds jobs of all accounts by one clue. The exit code is 1 when no job is found.
 *
 * @throws UsageError unless exactly one clue is given.
 */
export async function find(
  database: Database,
  environment: Environment,
  flags: FindFlags,
): Promise<Answer> {
  const { clue, basedOn } = await readClue(environment, flags);
  const found: FoundJobs =
    clue === null ? { jobs: [], archived: null } : await findJobs(database, clue, flags.limit);
  const { jobs, archived } = found;
  const isFound = jobs.length > 0 || archived !== null;
  return {
    json: {
      ...(basedOn !== null && { recognised_by: basedOn }),
      ...presentFoundJobs(found),
    },
    text: [
      ...(basedOn === null ? [] : [`Recognised by: ${basedOn.join(", ") || "nothing"}`]),
      ...jobs.map(describeJob),
      ...(archived === null ? [] : [describeArchived(archived)]),
      ...(isFound ? [] : [describeNothing(clue)]),
    ].join("\n\n"),
    colors: {
      good: ["completed"],
      bad: [
        "failed",
        ...jobs.flatMap(({ error }) => (error === null ? [] : [describeError(error)])),
      ],
    },
    ...(jobs.length === flags.limit && {
      note: "There may be more: increase --limit, or narrow the times.",
    }),
    exitCode: isFound ? exitCodes.done : exitCodes.failed,
  };
}

interface Read {
  /** Null for a file that nothing recognises. */
  readonly clue: JobClue | null;
  /** How a file was recognised; null for other clues. */
  readonly basedOn: readonly string[] | null;
}

async function readClue(environment: Environment, flags: FindFlags): Promise<Read> {
  const { hash, watermark, requestId, job, from, to, text } = flags;
  const clues: JobClue[] = [
    ...(job === undefined ? [] : [{ by: "job" as const, id: job }]),
    ...(hash === undefined ? [] : [{ by: "hash" as const, sha256: hash }]),
    ...(watermark === undefined ? [] : [{ by: "watermark" as const, id: watermark }]),
    ...(requestId === undefined ? [] : [{ by: "request-id" as const, id: requestId }]),
    ...(from === undefined
      ? []
      : [{ by: "time" as const, from, to: to ?? new Date(), text: text?.trim() ?? "" }]),
  ];
  const isIncomplete = from === undefined && (to !== undefined || text !== undefined);
  if (clues.length + (flags.file === undefined ? 0 : 1) !== 1 || isIncomplete) {
    throw new UsageError(
      "Pass one of --file, --hash, --watermark, --request-id, --job and --from; --to and --text need --from.",
    );
  }
  const [clue = null] = clues;
  return flags.file === undefined ? { clue, basedOn: null } : identifyFile(environment, flags.file);
}

async function identifyFile(environment: Environment, path: string): Promise<Read> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read.`, { cause });
  });
  const identifier = await openIdentifier(undefined, environment);
  try {
    const found = await identifier.identify(bytes);
    if (found === null) throw new UsageError(`${path} is not a readable image.`);
    const { image, verdict, basedOn } = found.identification;
    return {
      clue: image && { by: "render", id: image.renderId },
      basedOn: verdict === "made_here" ? basedOn : [verdict, ...basedOn],
    };
  } finally {
    await identifier.close();
  }
}

function describeNothing(clue: JobClue | null): string {
  if (clue?.by === "request-id") {
    return "No job has this request id. A refused request has no job, and a job whose texts were removed has no request id: search the logs of the API.";
  }
  return clue?.by === "time" ? "No job was accepted then." : "Nothing is known of it here.";
}

function describeJob(job: JobOfAccount): string {
  const { account, key, error, refusal, files } = job;
  return properties([
    ["Job", job.id],
    ["Account", `${account.id} ${account.name} (${account.status})`],
    ["Key", key === null ? "unknown" : `${key.id} ${key.name} (…${key.lastFour})`],
    ["Status", job.status],
    ["Request", `${job.operation} ${job.model}${job.mode === "test" ? " (test)" : ""}`],
    ...(job.title === null ? [] : [["Title", job.title] as const]),
    ...(job.batchId === null ? [] : [["Batch", job.batchId] as const]),
    ["Accepted", job.createdAt.toISOString()],
    ["Ended", job.completedAt?.toISOString() ?? "not yet"],
    ["Held", `${formatEur(job.heldMicroEur)} EUR`],
    ["Charged", `${formatEur(job.chargedMicroEur)} EUR`],
    ["Refunded", `${formatEur(job.refundedMicroEur)} EUR`],
    ...(error === null ? [] : [["Refusal", describeError(error)] as const]),
    ...(refusal === null
      ? []
      : [
          [
            "Moderation",
            [refusal.moderator, refusal.category, refusal.path, refusal.certainty]
              .filter((part) => part !== null)
              .join(" "),
          ] as const,
        ]),
    ...files.map(
      (file, index) =>
        [
          index === 0 ? "Files" : "",
          `${file.storageKey} ${file.sha256} ${file.sizeBytes} bytes${file.deletedAt === null ? "" : `, deleted ${file.deletedAt}`}`,
        ] as const,
    ),
  ]);
}

function describeError({ error, message }: NonNullable<JobOfAccount["error"]>): string {
  return `${error} (${message})`;
}

function describeArchived(trace: ArchivedTrace): string {
  const { id, account, chargedMicroEur, refundedMicroEur, months } = trace;
  const place =
    months.length === 0 ? "no part of the archive" : `the archive (${months.join(", ")})`;
  if (id === null || account === null) {
    return `The image was made here, and the rows of its job are in ${place}: run archive --list, and search the file for the hash.`;
  }
  return properties([
    ["Job", id],
    ["Account", `${account.id} ${account.name}`],
    ["Charged", `${formatEur(chargedMicroEur ?? 0n)} EUR`],
    ["Refunded", `${formatEur(refundedMicroEur ?? 0n)} EUR`],
    ["Rows", `in ${place}`],
  ]);
}
