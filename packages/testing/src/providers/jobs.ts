import type { Fault } from "./faults.ts";

/** An order that a vendor works on while it is asked about it. */
export interface Job<Order> {
  readonly id: string;
  readonly order: Order;
  questions: number;
  cancelled: boolean;
}

/** The orders that a vendor has taken. */
export interface Jobs<Order> {
  take(id: string, order: Order): void;
  /** The job with an id; null when there is none, or when it got lost. */
  find(id: string, fault: Fault | null): Job<Order> | null;
  /** How far a job has come when it is asked about once more: it ends with the second question. */
  ask(job: Job<Order>, fault: Fault | null): "waiting" | "working" | "ended";
}

export function createJobs<Order>(): Jobs<Order> {
  const jobs = new Map<string, Job<Order>>();
  return {
    take(id, order) {
      jobs.set(id, { id, order, questions: 0, cancelled: false });
    },
    find: (id, fault) => (fault?.kind === "lost-job" ? null : (jobs.get(id) ?? null)),
    ask(job, fault) {
      job.questions += 1;
      const needed = fault?.kind === "slow-poll" ? fault.polls : 2;
      if (job.cancelled || job.questions >= needed) return "ended";
      return job.questions === 1 ? "waiting" : "working";
    },
  };
}
