import { describe, expect, it } from "vitest";
import { createRedaction } from "./redaction.ts";

const key = "sk-proj+secret/0123456789";

describe("what a vendor wrote, fit for a log", () => {
  const redact = createRedaction([key], ["a lighthouse at sea"]);

  it.each([
    [`Incorrect API key provided: ${key}.`, "Incorrect API key provided: …."],
    [`?key=${encodeURIComponent(key)}&x=1`, "?key=…&x=1"],
    [`Basic ${Buffer.from(key).toString("base64")}`, "Basic …"],
    // As some vendors shorten keys: the last characters are the key's.
    ["Incorrect API key provided: sk-proj-********6789.", "Incorrect API key provided: …."],
    ["prompt 'a lighthouse at sea' is too short", "prompt '…' is too short"],
    ["size 1000x1000 is not supported", "size 1000x1000 is not supported"],
  ])("%s", (message, expected) => {
    expect(redact(message)).toBe(expected);
  });

  it("has no text of a client as JSON writes it either", () => {
    const text = 'a sign that says "open"\nat dusk';
    const said = createRedaction([], [text])(`invalid: ${JSON.stringify({ prompt: text })}`);
    expect(said).toBe('invalid: {"prompt":"…"}');
  });

  it("is short", () => {
    expect(redact("x".repeat(10_000))).toHaveLength(301);
  });

  it("leaves ordinary words when the prompt is one, and does without a key", () => {
    expect(createRedaction([""], ["size"])("no such size")).toBe("no such size");
  });
});
