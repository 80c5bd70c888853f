import { AppError, operations, parseRequest } from "@atelier/schemas";
import type { Request } from "express";
import { describe, expect, it } from "vitest";
import { readIdempotencyKey } from "./idempotency-key.ts";

/** A request with a route and an optional Idempotency-Key header. */
function requestWith(key: string | undefined, path = "/generate/image"): Request {
  const get = (name: string) => (name === "Idempotency-Key" ? key : undefined);
  return { route: { path }, get } as Partial<Request> as Request;
}

const live = { mode: "live" } as const;
const body = { model: "a", prompt: "b" };
const hashOf = (of: object, path?: string) =>
  readIdempotencyKey(requestWith("key", path), of, live)?.requestHash.toString("hex");

const hashOfParsed = (text: string) =>
  hashOf(parseRequest(operations.image.request, JSON.parse(text)));

describe("Idempotency-Key", () => {
  it("is optional", () => {
    expect(readIdempotencyKey(requestWith(undefined), body, live)).toBeNull();
  });

  it("accepts 1 to 255 visible ASCII characters unchanged", () => {
    for (const key of ["a", "!~", "0192f0c1-7e57-7000-8000-000000000000", "x".repeat(255)]) {
      expect(readIdempotencyKey(requestWith(key), body, live)?.key).toBe(key);
    }
  });

  it.each(["", " ", "two words", "tab\t", "é", "x".repeat(256), "line\nbreak", "\u007f"])(
    "refuses %j",
    (key) => {
      expect(() => readIdempotencyKey(requestWith(key), body, live)).toThrow(AppError);
      expect(() => readIdempotencyKey(requestWith(key), body, live)).toThrow(
        "1 to 255 visible ASCII",
      );
    },
  );

  it("is bound to the parsed request, independent of formatting", () => {
    const first = hashOfParsed('{"model": "a", "prompt": "b"}');
    expect(hashOfParsed('{"prompt":" b ","model":"a"}')).toBe(first);
    expect(hashOfParsed('{"model":"a","prompt":"b","aspect_ratio":null}')).toBe(first);
    expect(hashOfParsed('{"model":"a","prompt":"c"}')).not.toBe(first);
    expect(hashOfParsed('{"model":"a","prompt":"b","aspect_ratio":"1:1"}')).not.toBe(first);
  });

  it("of a test never equals one that a client can send with a live key", () => {
    const keyed = readIdempotencyKey(requestWith("key"), body, { mode: "test" });
    expect(keyed?.key).toMatch(/ /);
    expect(keyed?.key).not.toBe("key");
  });

  it("distinguishes operations", () => {
    expect(hashOf(body, "/generate/image")).not.toBe(hashOf(body, "/generate/story"));
  });
});
