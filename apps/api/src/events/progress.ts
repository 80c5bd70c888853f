import type { AnnouncedProgress } from "@atelier/generations/claims";
import type { Job, RenderProgress } from "@atelier/schemas";
import type { StreamTarget } from "./event-stream.ts";

/** The progress of jobs that are made now, as workers announced it to this process. */
export interface Progress {
  /** Keeps the progress of a job; returns whether it is to be sent to streams. */
  record(announced: AnnouncedProgress): boolean;
  /** The last progress of a job; null without one. */
  of(generationId: string): RenderProgress | null;
  forget(generationId: string): void;
}

/** The least time between two events of a job, in milliseconds, and how long progress is shown. */
const gapMs = 450;
const shownForMs = 60_000;

/** Jobs whose progress is kept; with more, the oldest are dropped. */
const maxJobs = 10_000;

interface Entry {
  readonly progress: RenderProgress;
  readonly at: number;
  readonly sentAt: number;
}

export function createProgress(now: () => number = () => performance.now()): Progress {
  /** In the order of their last announcement. */
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    for (const [id, { at }] of entries) {
      if (now() - at < shownForMs && entries.size <= maxJobs) break;
      entries.delete(id);
    }
  }

  return {
    record({ generationId, progress }) {
      const { sentAt = Number.NEGATIVE_INFINITY } = entries.get(generationId) ?? {};
      const isDue = now() - sentAt >= gapMs;
      entries.delete(generationId);
      entries.set(generationId, { progress, at: now(), sentAt: isDue ? now() : sentAt });
      dropOld();
      return isDue;
    },
    of(generationId) {
      const entry = entries.get(generationId);
      return entry === undefined || now() - entry.at >= shownForMs ? null : entry.progress;
    },
    forget: (generationId) => void entries.delete(generationId),
  };
}

/**
 * Whether a stream of the account receives the progress of a job: that of the job, and that of the account.
 * A key that sees only its own jobs follows the job itself. Tests are drawn by built-in models, which report no
 * progress, so that the streams of tests receive none.
 */
export function receivesProgress(
  { generationId, keyId, mode }: Pick<StreamTarget, "generationId" | "keyId" | "mode">,
  jobId: string,
): boolean {
  if (generationId !== null) return generationId === jobId;
  return keyId === null && mode !== "test";
}

/** Adds its progress to a job that is being made. */
export function withProgress<AnyJob extends Pick<Job, "id" | "status">>(
  job: AnyJob,
  progress: Pick<Progress, "of">,
): AnyJob & Pick<Job, "progress"> {
  const known = job.status === "processing" ? progress.of(job.id) : null;
  return known === null ? job : { ...job, progress: known };
}
