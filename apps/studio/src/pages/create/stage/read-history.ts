import type { ImageSource, Job, ListedJob, Operation } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { changes } from "../changes.ts";

/** An image of a history. */
export interface Step {
  readonly source: ImageSource;
  /** The operation that made it; null for an image that was sent, and for one whose job is not known any more. */
  readonly operation: Operation | null;
}

/** Images of a history: each is read once. */
const longestHistory = 24;

/** The image that a job changed; undefined for other jobs, and after its texts were removed. */
export function sourceOf({
  operation,
  request,
}: Pick<Job, "operation" | "request">): ImageSource | undefined {
  if (!changes.some((one) => one === operation)) return undefined;
  return request["image"] as ImageSource | undefined;
}

/** The images that an image of a job was made of, the first one first, and itself. */
export function historyQuery(job: Pick<Job, "id" | "operation" | "request">, image: number) {
  return queryOptions({
    queryKey: ["history", job.id, image],
    queryFn: () => readHistory(job, image),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readHistory(
  job: Pick<Job, "id" | "operation" | "request">,
  image: number,
): Promise<readonly Step[]> {
  const steps: Step[] = [{ source: { job_id: job.id, image }, operation: job.operation }];
  let source = sourceOf(job);
  while (source !== undefined && steps.length < longestHistory) {
    const { job_id: id, upload_id: uploadId } = source;
    if (id === undefined && uploadId === undefined) break;
    const earlier = id === undefined ? null : await readJob(id);
    steps.unshift({ source, operation: earlier?.operation ?? null });
    source = earlier === null ? undefined : sourceOf(earlier);
  }
  return steps;
}

/** A job; null if it cannot be read. */
async function readJob(id: string): Promise<Job | null> {
  try {
    return await queryClient.fetchQuery(jobQuery(id));
  } catch {
    return null;
  }
}

/**
 * The newest change of an image, or of what was made of it; the image itself if there is none.
 *
 * @param jobs the newest jobs, the newest one first.
 */
export function latestChange(
  jobs: readonly Pick<ListedJob, "id" | "source">[],
  shown: { readonly jobId: string; readonly image: number },
): { readonly jobId: string; readonly image: number } {
  const next = jobs.find(
    ({ source }) => source?.job_id === shown.jobId && source.image === shown.image,
  );
  // A job is newer than the one whose image it changes, so that this ends.
  return next === undefined ? shown : latestChange(jobs, { jobId: next.id, image: 0 });
}

/** Whether a step is an image of a job. */
export function isImage({ source }: Step, jobId: string, image: number): boolean {
  return source.job_id === jobId && (source.image ?? 0) === image;
}
