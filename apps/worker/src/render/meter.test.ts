import { expect, it } from "vitest";
import { createMeter } from "./meter.ts";

it("divides CPU time among concurrent renders and adds that of other processes", () => {
  const reading = { cpuMs: 1_000, residentBytes: 100 };
  const meter = createMeter(() => reading);
  const first = meter.begin();
  reading.cpuMs += 50;
  const second = meter.begin();
  reading.cpuMs += 100;
  second.add({ cpuMs: 7, peakBytes: 40 });
  expect(second.end()).toEqual({ cpuMs: 57, peakBytes: 140 });
  reading.cpuMs += 10;
  expect(first.end()).toEqual({ cpuMs: 110, peakBytes: 100 });
});

it("counts no CPU time of the process before or between renders", () => {
  const reading = { cpuMs: 0, residentBytes: 1 };
  const meter = createMeter(() => reading);
  meter.begin().end();
  reading.cpuMs += 1_000;
  const render = meter.begin();
  reading.cpuMs += 5;
  expect(render.end().cpuMs).toBe(5);
});

it("reports the peak memory during a render", () => {
  const reading = { cpuMs: 0, residentBytes: 100 };
  const meter = createMeter(() => reading);
  const render = meter.begin();
  reading.residentBytes = 900;
  meter.sample();
  reading.residentBytes = 200;
  expect(render.end().peakBytes).toBe(900);
});
