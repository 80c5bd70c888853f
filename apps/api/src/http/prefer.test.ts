import { AppError } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { readPreferredWait, readPrefer } from "./prefer.ts";

const maxWaitMs = 120_000;
const waitOf = (header: string | undefined) => readPrefer(header, maxWaitMs).waitMs;

describe("Prefer", () => {
  it("waits for the maximum time without a preference", () => {
    expect(waitOf(undefined)).toBe(maxWaitMs);
    expect(waitOf("")).toBe(maxWaitMs);
    expect(waitOf("return=minimal, handling=lenient")).toBe(maxWaitMs);
  });

  it("respond-async does not wait at all", () => {
    for (const header of ["respond-async", "Respond-Async", "return=minimal, respond-async;x=1"]) {
      expect(waitOf(header)).toBe(0);
    }
  });

  it("wait=N waits N seconds, up to the maximum", () => {
    expect(waitOf("wait=10")).toBe(10_000);
    expect(waitOf('Wait = "10"')).toBe(10_000);
    expect(waitOf("wait=0")).toBe(0);
    expect(waitOf("wait=120")).toBe(maxWaitMs);
    expect(waitOf("wait=999999")).toBe(maxWaitMs);
  });

  it("of a read waits only with wait=N", () => {
    expect(readPreferredWait(undefined, maxWaitMs)).toBeNull();
    expect(readPreferredWait("respond-async", maxWaitMs)).toBeNull();
    expect(readPreferredWait("wait=7", maxWaitMs)).toBe(7_000);
    expect(readPreferredWait("wait=0", maxWaitMs)).toBe(0);
    expect(readPreferredWait("wait=999999", maxWaitMs)).toBe(maxWaitMs);
  });

  it("wait=N given twice counts once, the first time (RFC 7240, section 2)", () => {
    expect(waitOf("wait=10, wait=20")).toBe(10_000);
  });

  it("with both, waits N seconds before it answers asynchronously", () => {
    expect(waitOf("respond-async, wait=10")).toBe(10_000);
    expect(waitOf("wait=10,respond-async")).toBe(10_000);
  });

  it.each(["wait", "wait=", "wait=soon", "wait=-1", "wait=1.5", "wait=1e3", "wait=1234567"])(
    "refuses %s",
    (header) => {
      expect(() => waitOf(header)).toThrow(AppError);
      expect(() => waitOf(header)).toThrow("whole number of seconds");
    },
  );
});
