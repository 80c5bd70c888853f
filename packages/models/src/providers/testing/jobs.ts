import type { Fault } from "./faults.ts";

/** A job in progress at a vendor. */
export interface Job<Order> {
  readonly id: string;
  readonly order: Order;
  polls: number;
  cancelled: boolean;
}

/** The jobs that a vendor has accepted. */
export interface Jobs<Order> {
  take(id: string, order: Order): void;
  /** Finds a job by id; null for an unknown or lost job. */
  find(id: string, fault: Fault | null): Job<Order> | null;
  /** The state of a job at its next poll; it ends with the second poll. */
  poll(job: Job<Order>, fault: Fault | null): "waiting" | "working" | "ended";
}

export function createJobs<Order>(): Jobs<Order> {
  const jobs = new Map<string, Job<Order>>();
  return {
    take(id, order) {
      jobs.set(id, { id, order, polls: 0, cancelled: false });
    },
    find: (id, fault) => (fault?.kind === "lost-job" ? null : (jobs.get(id) ?? null)),
    poll(job, fault) {
      job.polls += 1;
      const needed = fault?.kind === "slow-poll" ? fault.polls : 2;
      if (job.cancelled || job.polls >= needed) return "ended";
      return job.polls === 1 ? "waiting" : "working";
    },
  };
}
