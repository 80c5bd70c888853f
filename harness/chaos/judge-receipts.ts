import type { Receipt } from "./observers.ts";

/** A job as the database has it. */
export interface JudgedJob {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  /** Null unless it is final. */
  readonly completedAt: Date | null;
}

const finalStatus: Readonly<Record<string, string>> = {
  "job.completed": "completed",
  "job.failed": "failed",
  "job.cancelled": "cancelled",
};

/**
 * Checks what webhooks and streams received: every final state, at least once each way, never before
 * it was true, only by its account, and for each job in the order of the events. An event may be
 * repeated.
 *
 * @returns one line for each violation.
 */
export function judgeReceipts(
  jobs: readonly JudgedJob[],
  receipts: readonly Receipt[],
): readonly string[] {
  const wrong: string[] = [];
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const byJob = Map.groupBy(receipts, ({ via, jobId }) => `${via} ${jobId}`);
  for (const job of jobs.filter(({ completedAt }) => completedAt !== null)) {
    for (const via of ["webhook", "stream"] as const) {
      const received = byJob.get(`${via} ${job.id}`) ?? [];
      if (!received.some(({ type }) => finalStatus[type] === job.status)) {
        wrong.push(`No ${via} received the event that job ${job.id} is ${job.status}.`);
      }
    }
  }
  for (const receipt of receipts) {
    const { via, type, jobId, receivedAt } = receipt;
    const job = byId.get(jobId);
    if (job?.accountId !== receipt.accountId) {
      wrong.push(`A ${via} of another account received an event of job ${jobId}.`);
      continue;
    }
    const claimed = finalStatus[type];
    if (claimed === undefined) continue;
    const isTrue =
      claimed === job.status &&
      receipt.status === job.status &&
      job.completedAt !== null &&
      job.completedAt.getTime() <= receivedAt;
    if (!isTrue) wrong.push(`A ${via} received ${type} of job ${jobId} too early.`);
  }
  for (const [key, received] of byJob) {
    let highest = 0n;
    const seen = new Set<bigint>();
    for (const { eventId } of received) {
      if (!seen.has(eventId) && eventId < highest) wrong.push(`Events out of order: ${key}.`);
      seen.add(eventId);
      if (eventId > highest) highest = eventId;
    }
  }
  return wrong;
}
