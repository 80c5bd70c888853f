import { formatEur } from "@atelier/schemas";
import type { AdminJob } from "@atelier/schemas/admin";
import type { ArchivedTrace, FoundJobs, JobOfAccount } from "./find-jobs.ts";

/** Presents found jobs to operators, in the console and in `atelier find --json`. */
export function presentFoundJobs({ jobs, archived }: FoundJobs) {
  return {
    jobs: jobs.map(presentFoundJob),
    archived: archived && presentArchivedTrace(archived),
  };
}

/** Presents a job to operators. */
export function presentFoundJob(job: JobOfAccount): AdminJob {
  const { account, key, error, refusal } = job;
  return {
    id: job.id,
    account: { ...account, status: account.status as AdminJob["account"]["status"] },
    key: key && { id: key.id, name: key.name, last_four: key.lastFour },
    mode: job.mode,
    operation: job.operation,
    status: job.status,
    model: job.model,
    title: job.title,
    batch_id: job.batchId,
    held_eur: formatEur(job.heldMicroEur),
    charged_eur: formatEur(job.chargedMicroEur),
    refunded_eur: formatEur(job.refundedMicroEur),
    error: error && { ...error },
    refusal: refusal && { ...refusal },
    files: job.files.map((file) => ({
      render_id: file.renderId,
      image: file.position,
      format: file.format,
      sha256: file.sha256,
      storage_key: file.storageKey,
      size_bytes: file.sizeBytes,
      width: file.width,
      height: file.height,
      deleted_at: file.deletedAt,
    })),
    created_at: job.createdAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
  };
}

/** Presents an archived job to operators. */
export function presentArchivedTrace(trace: ArchivedTrace) {
  const { id, account, chargedMicroEur, refundedMicroEur, months } = trace;
  return {
    job_id: id,
    account,
    charged_eur: chargedMicroEur === null ? null : formatEur(chargedMicroEur),
    refunded_eur: refundedMicroEur === null ? null : formatEur(refundedMicroEur),
    months: [...months],
  };
}
