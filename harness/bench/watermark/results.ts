import type { Marked, Timing } from "./measure.ts";

/** The results of one run of the benchmark. */
export interface WatermarkResults {
  readonly startedAt: string;
  readonly machine: { readonly processor: string; readonly cores: number };
  readonly strength: number;
  readonly marked: readonly Marked[];
  readonly negatives: {
    readonly images: number;
    readonly readings: number;
    readonly falsePositives: number;
  };
  readonly times: readonly Timing[];
}
