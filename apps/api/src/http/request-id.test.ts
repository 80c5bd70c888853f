import type { Request, Response } from "express";
import { describe, expect, it } from "vitest";
import { assignRequestId } from "./request-id.ts";

/** Returns the assigned id and checks that it is the same everywhere. */
function idFor(sent: string | undefined): string {
  const headers: Record<string, string> = {};
  const response = {
    locals: {} as Record<string, unknown>,
    set(name: string, value: string) {
      headers[name] = value;
    },
  };
  let nextCalls = 0;
  assignRequestId(
    { get: () => sent } as Partial<Request> as Request,
    response as unknown as Response,
    () => {
      nextCalls++;
    },
  );
  expect(nextCalls).toBe(1);
  expect(response.locals["requestId"]).toBe(headers["X-Request-Id"]);
  return headers["X-Request-Id"] ?? "";
}

describe("X-Request-Id", () => {
  it.each(["a", "A-1_b.c:d", "0".repeat(128)])("uses the valid id %s", (sent) => {
    expect(idFor(sent)).toBe(sent);
  });

  it.each(["", " a", "a b", "a,b", "a/b", "ü", "a\nb", "a\n", "{}", "0".repeat(129)])(
    "replaces the invalid id %j",
    (sent) => {
      const generatedId = idFor(sent);
      expect(generatedId).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(idFor(sent)).not.toBe(generatedId);
    },
  );

  it("is generated when the header is missing", () => {
    expect(idFor(undefined)).not.toBe(idFor(undefined));
  });
});
