import { median } from "../shared/statistics.ts";
import type { Verdict } from "./judge.ts";
import type { DiaryEntry } from "./load.ts";

/** Time from the end of a fault until a new request returned its image. */
export interface Recovery {
  readonly kind: string;
  readonly tookMs: number;
}

/** Prints the faults, the observations and the violations. */
export function report(
  run: {
    readonly seed: number;
    readonly queue: string;
    readonly storage: string;
    readonly recoveries: readonly Recovery[];
    /** Faults without an effect: no render arrived, or the target was unavailable. */
    readonly notInjected: number;
    readonly diary: readonly DiaryEntry[];
    readonly verdict: Verdict;
  },
  json: boolean,
): void {
  const { seed, queue, storage, notInjected, verdict } = run;
  const faults = [...Map.groupBy(run.recoveries, ({ kind }) => kind)]
    .map(([kind, recoveries]) => {
      const times = recoveries.map(({ tookMs }) => tookMs).filter(Number.isFinite);
      return { kind, count: recoveries.length, medianMs: median(times), maxMs: Math.max(...times) };
    })
    .sort((a, b) => a.kind.localeCompare(b.kind));
  const outcomes = count(run.diary.map((entry) => entry.outcome ?? "nothing"));
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ seed, queue, storage, faults, notInjected, told: outcomes, ...verdict })}\n`,
    );
    return;
  }
  const seconds = (ms: number) =>
    (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : "–").padStart(8);
  process.stdout.write(
    [
      "",
      `Seed ${seed}, queue in ${queue}, storage in ${storage}: ${run.recoveries.length} faults (${notInjected} more met nothing), ${run.diary.length} requests`,
      "",
      `${"Fault".padEnd(34)} times   recovery: median      max`,
      ...faults.map(
        ({ kind, count: times, medianMs, maxMs }) =>
          `${kind.padEnd(34)} ${String(times).padStart(5)}           ${seconds(medianMs)} ${seconds(maxMs)}`,
      ),
      "",
      `Requests by operation: ${show(verdict.requests)}`,
      `Outcomes for clients: ${show(outcomes)}`,
      `Clients that gave up before their job ended: ${verdict.timeouts}`,
      `Provider calls beyond the first for an image, by what is recorded of the one before: ${show(verdict.repeatedCalls)}`,
      "",
      ...Object.entries(verdict.checked).map(
        ([what, number]) => `${String(number).padStart(7)}  ${what}`,
      ),
      "",
      verdict.violations.length === 0 ? "0 violations" : `${verdict.violations.length} violations:`,
      ...verdict.violations,
      "",
    ].join("\n"),
  );
}

function count(items: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]),
  );
}

function show(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([what, number]) => `${what} ${number}`)
      .join(", ") || "none"
  );
}
