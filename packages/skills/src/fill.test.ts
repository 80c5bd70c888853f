import { describe, expect, it } from "vitest";
import { fill } from "./fill.ts";

describe("a text with placeholders", () => {
  it("is filled in, including placeholders within values", () => {
    const values = { url: "{{scheme}}://host", scheme: "https" };
    expect(fill("GET {{url}}/v1 {{url}}", values)).toBe("GET https://host/v1 https://host");
  });

  it("keeps text that is not a placeholder", () => {
    const text = '{"a": {"b": 1}} ${key} {{ spaced }} $1 {{UPPER}}';
    expect(fill(text, {})).toBe(text);
    expect(fill("{{key}}", { key: "$& $1" })).toBe("$& $1");
  });

  it("is rejected with an unknown placeholder", () => {
    expect(() => fill("{{base_url}} {{bsae_url}}", { base_url: "" })).toThrow("{{bsae_url}}");
  });
});
