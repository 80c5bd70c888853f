import { describe, expect, it } from "vitest";
import { jsonLimits, scanJson } from "./scan-json.ts";

const scan = (json: string) => scanJson(Buffer.from(json));

/** Counts the values and members of a parsed JSON text. */
function count(value: unknown): { values: number; members: number } {
  if (typeof value !== "object" || value === null) return { values: 1, members: 0 };
  const inner = Object.values(value).map(count);
  return {
    values: inner.reduce((sum, one) => sum + one.values, 1),
    members:
      (Array.isArray(value) ? 0 : inner.length) + inner.reduce((sum, one) => sum + one.members, 0),
  };
}

describe("scanJson", () => {
  it.each([
    "1",
    '"a"',
    "[]",
    "{}",
    "[1,-2.5e3,true,false,null]",
    '{"a":{"b":[{"c":"d"},[],{}]},"e":""}',
    ' { "a" : [ 1 , "x,y:z[{" ] , "q\\"\\\\" : "\\"" } ',
    '["\\\\","\\u0022","ü€😀"]',
  ])("counts the members of %s", (json) => {
    expect(scan(json)).toEqual({
      exceeds: null,
      members: count(JSON.parse(json)).members,
      scannedBytes: Buffer.byteLength(json),
    });
  });

  it("accepts exactly as many values as the limit, members with one name included", () => {
    const flat = (values: number) => JSON.stringify(Array.from({ length: values - 1 }, () => 1));
    expect(scan(flat(jsonLimits.values)).exceeds).toBeNull();
    expect(scan(flat(jsonLimits.values + 1)).exceeds).toBe("values");
    const object = (members: number) => `{${Array<string>(members).fill('"a":1').join()}}`;
    expect(scan(object(jsonLimits.members)).exceeds).toBeNull();
    expect(scan(object(jsonLimits.members + 1)).exceeds).toBe("members");
  });

  it("accepts exactly as many levels as the limit", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(scan(nested(jsonLimits.depth)).exceeds).toBeNull();
    expect(scan(nested(jsonLimits.depth + 1)).exceeds).toBe("depth");
  });

  it.each([
    ["a flat array", `[${"1,".repeat(490_000)}1]`, 3 * jsonLimits.values],
    ["nested arrays", "[".repeat(400_000), 2 * jsonLimits.depth],
    [
      "an object of many members",
      `{${Array.from({ length: 60_000 }, (_, index) => `"key${index}":1`).join()}}`,
      16 * jsonLimits.values,
    ],
  ])("stops reading %s soon after the limit", (_what, json, maxBytes) => {
    const { exceeds, scannedBytes } = scan(json);
    expect(exceeds).not.toBeNull();
    expect(scannedBytes).toBeLessThan(maxBytes);
  });

  it.each(['"', '"\\', '{"a', "]]]]", "\\\\\\", "tru", ":::", '{"a":"b\\'])(
    "scans %s, which is not JSON, to the end",
    (text) => {
      expect(scan(text).scannedBytes).toBeGreaterThanOrEqual(Buffer.byteLength(text));
    },
  );
});
