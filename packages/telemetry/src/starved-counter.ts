import { subscribe } from "node:diagnostics_channel";
import { limitedWork, starvedWork } from "@atelier/kit/limited-process";
import { Counter, type Registry } from "prom-client";

/** Counts, from now on, work of this process that was stopped because the machine was too busy. */
export function createStarvedCounter(registers: Registry[]): void {
  const starved = new Counter({
    name: "atelier_starved_work_total",
    help: "Work on data of clients that was stopped because it got too little CPU time, to be tried again.",
    labelNames: ["work"],
    registers,
  });
  for (const work of limitedWork) starved.inc({ work }, 0);
  subscribe(starvedWork.name, (work) => starved.inc({ work: String(work) }));
}
