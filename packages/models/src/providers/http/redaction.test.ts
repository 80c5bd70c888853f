import { describe, expect, it } from "vitest";
import { createRedaction } from "./redaction.ts";

const key = "sk-proj+secret/0123456789";

describe("a vendor's message, sanitised for the log", () => {
  const redact = createRedaction([key], ["a lighthouse at sea"]);

  it.each([
    [`Incorrect API key provided: ${key}.`, "Incorrect API key provided: …."],
    [`?key=${encodeURIComponent(key)}&x=1`, "?key=…&x=1"],
    [`Basic ${Buffer.from(key).toString("base64")}`, "Basic …"],
    // Some vendors mask keys but show their last characters.
    ["Incorrect API key provided: sk-proj-********6789.", "Incorrect API key provided: …."],
    ["prompt 'a lighthouse at sea' is too short", "prompt '…' is too short"],
    ["size 1000x1000 is not supported", "size 1000x1000 is not supported"],
  ])("sanitises %s", (message, expected) => {
    expect(redact(message)).toBe(expected);
  });

  it("removes client text in its JSON form too", () => {
    const text = 'a sign that says "open"\nat dusk';
    const redacted = createRedaction([], [text])(`invalid: ${JSON.stringify({ prompt: text })}`);
    expect(redacted).toBe('invalid: {"prompt":"…"}');
  });

  it("is truncated to 300 characters", () => {
    expect(redact("x".repeat(10_000))).toHaveLength(301);
  });

  it("keeps ordinary words when the prompt is one word, and works without a key", () => {
    expect(createRedaction([""], ["size"])("no such size")).toBe("no such size");
  });
});
