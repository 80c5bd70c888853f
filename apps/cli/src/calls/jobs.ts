import type { Job, JobEvent, JobQuery, KeptQuery, ListedJob } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat } from "@atelier/schemas";
import { properties, table, type Answer } from "../answer.ts";
import { megabytes } from "../megabytes.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { readRequest } from "./read-request.ts";
import { prepareOutput, saveFile, saveImages } from "./save-images.ts";

export async function list({ atelier, follow }: Caller, query: JobQuery): Promise<Answer> {
  const page = await atelier.jobs.list(query, { signal: follow.signal });
  const headings = ["ID", "OPERATION", "STATUS", "SCENES", "MODEL", "EUR", "CREATED"];
  const rows = page.jobs.map((job) => [
    job.id,
    job.operation,
    job.status,
    describeScenes(job) ?? "",
    job.model,
    job.cost_eur,
    job.created_at,
  ]);
  return {
    json: page,
    text: table(headings, rows),
    ...(page.next_cursor !== null && { note: `More jobs: --cursor ${page.next_cursor}` }),
  };
}

export interface UpdateFlags {
  /** False brings back the first title. */
  readonly title?: string | false;
  readonly star?: boolean;
  /** The file; false deletes the book. */
  readonly book?: string | false;
}

export async function update(
  { atelier, follow }: Caller,
  jobId: string,
  { title, star, book }: UpdateFlags,
): Promise<Answer> {
  if (title === undefined && star === undefined && book === undefined) {
    throw new UsageError("Pass what changes: --title, --star, --book, or --no- with one of these.");
  }
  const change = {
    ...(title !== undefined && { title: title === false ? null : title }),
    ...(star !== undefined && { starred: star }),
    ...(book !== undefined && { book: book === false ? null : await readRequest(book, "a book") }),
  };
  return describe(await atelier.jobs.update(jobId, change, { signal: follow.signal }));
}

export async function listKept({ atelier, follow }: Caller, query: KeptQuery): Promise<Answer> {
  const page = await atelier.jobs.listKept(query, { signal: follow.signal });
  const rows = page.kept.map((job) => [
    job.job_id,
    job.status,
    megabytes(job.size_bytes),
    job.kept_since,
  ]);
  const usage = `${megabytes(page.used_bytes)} of ${megabytes(page.quota_bytes)} MB are used.`;
  return {
    json: page,
    text: table(["ID", "STATUS", "MB", "SINCE"], rows),
    note: page.next_cursor === null ? usage : `${usage} More jobs: --cursor ${page.next_cursor}`,
  };
}

export interface ArchiveFlags {
  readonly output?: string;
  readonly format?: ImageFormat;
}

/** Saves the images of a completed job, or of several, as a ZIP. */
export async function archive(
  { atelier, follow }: Caller,
  jobIds: readonly string[],
  { output, format }: ArchiveFlags,
): Promise<Answer> {
  const [jobId = "", ...more] = jobIds;
  const target = more.length === 0 ? jobId : jobIds;
  const file = output ?? `atelier-${more.length === 0 ? jobId : "images"}.zip`;
  const bytes = await atelier.jobs.archive(target, { format, signal: follow.signal });
  await saveFile(file, bytes);
  return { json: { file, size_bytes: bytes.length }, text: file };
}

export interface WaitFlags {
  readonly output?: string;
  readonly format?: ImageFormat;
}

/** Waits for a job, and saves its images if `output` is set. */
export async function wait(
  { atelier, follow }: Caller,
  jobId: string,
  { output, format }: WaitFlags,
): Promise<Answer> {
  if (output === undefined) {
    if (format !== undefined) throw new UsageError("--format requires -o.");
    return describe(await atelier.jobs.wait(jobId, follow));
  }
  const { kind } = await atelier.jobs.get(jobId, { signal: follow.signal });
  await prepareOutput(kind, { output, format });
  const job = await atelier.jobs.wait(jobId, follow);
  const files = await saveImages(atelier, job.result, { output, format, signal: follow.signal });
  return {
    json: { ...job, files },
    text: files.map(({ file }) => file).join("\n"),
    note: describeCost(job.result),
  };
}

/** Prints the events of a job until it is final. */
export async function watch({ atelier, follow, print }: Caller, jobId: string): Promise<Answer> {
  const events: JobEvent[] = [];
  for await (const event of atelier.jobs.watch(jobId, { signal: follow.signal })) {
    if (event.type === "job.progress") {
      follow.onProgress(event.job);
      continue;
    }
    const { renders_completed, renders_total, status } = event.job;
    print(`${event.type}  ${status}  ${renders_completed} of ${renders_total} images`);
    events.push(event);
  }
  const error = events.at(-1)?.job.error;
  return {
    json: { events },
    text: error == null ? "" : `${error.error}: ${error.message}`,
  };
}

export function describe(job: Job): Answer {
  const rows: (readonly [string, string | null])[] = [
    ["Job", job.id],
    ["Operation", job.operation],
    ["Status", job.status],
    ["Scenes", describeScenes(job)],
    ["Model", job.model],
    ["Cost", `${job.cost_eur} EUR`],
    ["Created", job.created_at],
    ["Completed", job.completed_at],
    ["Title", job.title],
    ["Starred", job.starred ? "yes" : null],
    ["Seed", job.seed === null ? null : String(job.seed)],
    ["Image", job.result?.images === undefined ? (job.result?.image_url ?? null) : null],
    ...(job.result?.images ?? []).map(
      ({ index, image_url }) => [`Image ${index + 1}`, image_url ?? null] as const,
    ),
    ...(job.result?.scenes ?? []).map(
      ({ scene, image_url }) => [`Scene ${scene}`, image_url ?? null] as const,
    ),
    ["Kept", job.keep && `${job.keep.status}, ${megabytes(job.keep.size_bytes)} MB`],
    ["Error", job.error && `${job.error.error}: ${job.error.message}`],
  ];
  const known = rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { json: job, text: properties(known) };
}

function describeScenes({ scenes_completed, scenes_total }: Job | ListedJob): string | null {
  return scenes_total === null ? null : `${scenes_completed ?? 0} of ${scenes_total}`;
}
