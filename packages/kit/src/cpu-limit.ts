import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";

/** Work on data of clients that runs in a process or thread with a limit of CPU time. */
export const limitedWork = [
  "decode",
  "draw",
  "fill",
  "inspect",
  "layout",
  "mark",
  "trace",
] as const;

export type LimitedWork = (typeof limitedWork)[number];

/** Receives the `LimitedWork` that this machine gave too little CPU time, each time it is stopped. */
export const starvedWork = channel("atelier:starved-work");

/** Time that a process or thread may take to start, in milliseconds, however busy the machine is. */
export const startLimitMs = 60_000;

/** Why a request to a limited process or thread failed. */
export type LimitReason = "cpu" | "memory" | "crashed" | "busy" | "died" | "closed";

const messages: Record<LimitReason, string> = {
  cpu: "the process took too much CPU time",
  memory: "the process took too much memory",
  crashed: "the process crashed",
  busy: "the machine was too busy",
  died: "the process was ended",
  closed: "the process is closed",
};

/** A process or thread exceeded a limit or ended, and its request has no answer. */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly reason: LimitReason;

  constructor(reason: LimitReason) {
    super(messages[reason]);
    this.reason = reason;
  }

  /** Whether the data of the request caused it. Otherwise the same request may succeed later. */
  get isCausedByInput(): boolean {
    return this.reason === "cpu" || this.reason === "memory" || this.reason === "crashed";
  }
}

/** Counts work that was stopped because the machine was busy, and returns its error. */
export function starved(work: LimitedWork): LimitError {
  starvedWork.publish(work);
  return new LimitError("busy");
}

interface CpuLimit {
  readonly cpuMs: number;
  /** Default ten times the CPU time. */
  readonly wallMs?: number | undefined;
}

/**
 * Watches the CPU time of a process or thread from now on. Only CPU time says that its work is too
 * large: on a busy machine any work takes long.
 *
 * @param stat file of the process or thread in `/proc`; null if unknown. Where it cannot be read, only
 *   the wall time is limited.
 * @param onExceeded called once: with `cpu` when it has used the CPU time, with `busy` when the wall
 *   time has passed before.
 * @returns stops watching.
 */
export function watchCpuTime(
  stat: string | null,
  { cpuMs, wallMs = 10 * cpuMs }: CpuLimit,
  onExceeded: (reason: "cpu" | "busy") => void,
): () => void {
  const cpuBefore = cpuMsOf(stat);
  const startedAt = performance.now();
  const timer = setInterval(
    () => {
      const cpuNow = cpuMsOf(stat);
      const isCpuUsed = cpuNow !== null && cpuBefore !== null && cpuNow - cpuBefore >= cpuMs;
      if (!isCpuUsed && performance.now() - startedAt < wallMs) return;
      clearInterval(timer);
      onExceeded(isCpuUsed ? "cpu" : "busy");
    },
    Math.min(cpuMs, wallMs, 100),
  );
  return () => clearInterval(timer);
}

/** CPU time of a process or thread, in ticks of 10 ms: fields 14 and 15 of its `stat` (proc(5)). */
function cpuMsOf(stat: string | null): number | null {
  if (stat === null) return null;
  try {
    const text = readFileSync(stat, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
    return Number.isNaN(cpuMs) ? null : cpuMs;
  } catch {
    return null;
  }
}
