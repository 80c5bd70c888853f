import { describe, expect, it } from "vitest";
import { hashKey, isWellFormedKey, makeKey } from "./key-format.ts";

describe("an API key", () => {
  it.each(["live", "test"] as const)(
    "of mode %s has the documented format and a valid checksum",
    (mode) => {
      const key = makeKey(mode);
      expect(key).toMatch(new RegExp(`^atl_${mode}_[0-9A-Za-z]{36}$`));
      expect(isWellFormedKey(key)).toBe(true);
    },
  );

  it("is rejected when one character is mistyped", () => {
    const key = makeKey("live");
    for (let index = "atl_live_".length; index < key.length; index++) {
      const other = key[index] === "a" ? "b" : "a";
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it("is unique, and its hash depends on the pepper", () => {
    const keys = new Set(Array.from({ length: 100 }, () => makeKey("test")));
    expect(keys.size).toBe(100);
    const [key = ""] = keys;
    expect(hashKey(key, "one")).not.toEqual(hashKey(key, "two"));
  });
});
