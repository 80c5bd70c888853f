import type { ImageSource, Job, ListedJob, Operation } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { changes } from "../changes.ts";

/** An image of a history. */
export interface Step {
  readonly source: ImageSource;
  /** The operation that made it; null for an image that was sent, and when its job cannot be read. */
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

/** An image of a job and the images that led to it by changes, the original first. */
export function historyQuery(jobId: string, image: number) {
  return queryOptions({
    queryKey: ["history", jobId, image],
    queryFn: () => readHistory({ job_id: jobId, image }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readHistory(last: ImageSource): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let source: ImageSource | undefined = last;
  while (source !== undefined && steps.length < longestHistory) {
    const { job_id: id, upload_id: uploadId }: ImageSource = source;
    if (id === undefined && uploadId === undefined) break;
    const job: Job | null = id === undefined ? null : await readJob(id);
    steps.unshift({ source, operation: job?.operation ?? null });
    source = job === null ? undefined : sourceOf(job);
  }
  return steps;
}

/** A job; null if it cannot be read. A known one is not read again: what it changed stays the same. */
async function readJob(id: string): Promise<Job | null> {
  try {
    return await queryClient.ensureQueryData(jobQuery(id));
  } catch {
    return null;
  }
}

/**
 * Follows the changes of an image to the newest result. An image without changes is its own newest result.
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

/**
 * The changes that were made of the images of a history, and are not part of it.
 *
 * @param jobs the newest jobs, the newest one first.
 */
export function otherChanges(
  jobs: readonly Pick<ListedJob, "id" | "operation" | "source">[],
  steps: readonly Step[],
): readonly Step[] {
  return jobs
    .filter(
      ({ id, source }) =>
        source !== null &&
        steps.some((step) => isImage(step, source.job_id, source.image)) &&
        !steps.some((step) => step.source.job_id === id),
    )
    .map(({ id, operation }) => ({ source: { job_id: id }, operation }));
}

/** Whether a step is an image of a job. */
export function isImage({ source }: Step, jobId: string, image: number): boolean {
  return source.job_id === jobId && (source.image ?? 0) === image;
}
