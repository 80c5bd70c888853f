import type { Job, JobQuery } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat } from "@atelier/schemas";
import { properties, table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { prepareOutput, saveImages } from "./save-images.ts";

export async function list({ atelier, follow }: Caller, query: JobQuery): Promise<Answer> {
  const page = await atelier.jobs.list(query, { signal: follow.signal });
  const headings = ["ID", "KIND", "STATUS", "SCENES", "MODEL", "EUR", "CREATED"];
  const rows = page.jobs.map((job) => [
    job.id,
    job.kind,
    job.status,
    describeScenes(job) ?? "",
    job.model,
    job.cost_eur,
    job.created_at,
  ]);
  return {
    json: page,
    text: table(headings, rows),
    ...(page.next_cursor !== null && { note: `There are more: --cursor ${page.next_cursor}` }),
  };
}

export async function show({ atelier, follow }: Caller, jobId: string): Promise<Answer> {
  return describe(await atelier.jobs.get(jobId, { signal: follow.signal }));
}

export async function cancel({ atelier, follow }: Caller, jobId: string): Promise<Answer> {
  return describe(await atelier.jobs.cancel(jobId, { signal: follow.signal }));
}

export interface WaitFlags {
  readonly output?: string;
  readonly format?: ImageFormat;
}

/** Waits for a job, and saves its images where that is asked for. */
export async function wait(
  { atelier, follow }: Caller,
  jobId: string,
  { output, format }: WaitFlags,
): Promise<Answer> {
  if (output === undefined) {
    if (format !== undefined) throw new UsageError("--format is for images that -o saves.");
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

function describe(job: Job): Answer {
  const rows: (readonly [string, string | null])[] = [
    ["Job", job.id],
    ["Kind", job.kind],
    ["Status", job.status],
    ["Scenes", describeScenes(job)],
    ["Model", job.model],
    ["Cost", `${job.cost_eur} EUR`],
    ["Created", job.created_at],
    ["Completed", job.completed_at],
    ["Title", job.result?.title ?? null],
    ["Image", job.result?.image_url ?? null],
    ...(job.result?.scenes ?? []).map(
      ({ scene, image_url }) => [`Scene ${scene}`, image_url ?? null] as const,
    ),
    ["Error", job.error && `${job.error.error}: ${job.error.message}`],
  ];
  const known = rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { json: job, text: properties(known) };
}

function describeScenes({ scenes_completed, scenes_total }: Job): string | null {
  return scenes_total === undefined ? null : `${scenes_completed ?? 0} of ${scenes_total}`;
}
