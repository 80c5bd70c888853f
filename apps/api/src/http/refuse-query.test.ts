import type { Request, Response } from "express";
import { expect, it } from "vitest";
import { refuseQuery } from "./refuse-query.ts";

it.each([
  ["GET", 'Unknown query parameter "format". Remove it from the URL.'],
  ["DELETE", 'Unknown query parameter "format". Remove it from the URL.'],
  ["POST", 'Unknown query parameter "format". Remove it from the URL, or send it in the body.'],
])("refuses unknown query parameters of %s with advice that fits", (method, message) => {
  const request = { method, query: { format: "zip" } } as unknown as Request;
  expect(() => refuseQuery(request, {} as Response, () => {})).toThrow(
    expect.objectContaining({ code: "invalid_request", message }) as Error,
  );
});
