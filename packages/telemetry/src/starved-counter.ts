import { subscribe } from "node:diagnostics_channel";
import { limitedWork, starvedWork } from "@atelier/kit/limited-process";
import type { Meter } from "./meter.ts";

/** Counts, from now on, work of this process that was stopped because the machine was too busy. */
export function createStarvedCounter(meter: Meter): void {
  const starved = meter.counter(
    "atelier_starved_work_total",
    "Work on data of clients that was stopped because it got too little CPU time, to be tried again.",
    { work: limitedWork },
  );
  subscribe(starvedWork.name, (work) => starved.inc({ work: String(work) }));
}
