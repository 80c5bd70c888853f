import { describe, expect, it } from "vitest";
import { isTime, readClues } from "./clue.ts";

const id = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";
const hash = "0f".repeat(32);

describe("readClues", () => {
  it("tries an id as that of a job, and then of a request", () => {
    expect(readClues(id)).toEqual([{ job: id }, { request_id: id }]);
  });

  it("recognises a SHA-256 with capitals and spaces", () => {
    expect(readClues(`${hash.slice(0, 32).toUpperCase()} ${hash.slice(32)}`)).toEqual([
      { sha256: hash },
    ]);
  });

  it("searches five minutes before and after a time", () => {
    expect(readClues("2026-11-30T14:05Z")).toEqual([
      { from: "2026-11-30T14:00:00.000Z", to: "2026-11-30T14:10:00.000Z" },
    ]);
  });

  it("searches a whole local day", () => {
    const from = new Date(2026, 10, 30);
    expect(readClues("2026-11-30")).toEqual([
      { from: from.toISOString(), to: new Date(from.getTime() + 86_400_000).toISOString() },
    ]);
  });

  it("takes any other text as the id of a request", () => {
    expect(readClues("order-A-1027")).toEqual([{ request_id: "order-A-1027" }]);
  });
});

describe("isTime", () => {
  it.each(["", "2026-11-30", "2026-11-30 14:05"])("is true for %j", (text) => {
    expect(isTime(text)).toBe(true);
  });

  it.each([id, hash, "order-A-1027"])("is false for %s", (text) => {
    expect(isTime(text)).toBe(false);
  });
});
