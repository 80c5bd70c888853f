import express from "express";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { announceRetirement } from "./announce-retirement.ts";

type Entry = Parameters<typeof announceRetirement>[1];

/** Returns both headers of a response to a request for a model, as a client receives them. */
async function headersFor(entry: Entry): Promise<readonly (string | null)[]> {
  const app = express();
  app.get("/", (_request, response) => {
    announceRetirement(response, entry);
    response.end();
  });
  const server = app.listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}`);
    return [headers.get("Deprecation"), headers.get("Sunset")];
  } finally {
    server.close();
  }
}

describe("the headers of a response", () => {
  it("name the end of a deprecated model in the forms of RFC 9745 and RFC 8594", async () => {
    const entry = { deprecated_at: "2026-11-01T00:00:00Z", retires_at: "2027-01-01T00:00:00Z" };
    expect(await headersFor(entry)).toEqual(["@1793491200", "Fri, 01 Jan 2027 00:00:00 GMT"]);
  });

  it("name only the dates that the operator has set", async () => {
    expect(await headersFor({ deprecated_at: "2026-11-01T00:00:00Z", retires_at: null })).toEqual([
      "@1793491200",
      null,
    ]);
    expect(await headersFor({ deprecated_at: null, retires_at: null })).toEqual([null, null]);
    expect(await headersFor(null)).toEqual([null, null]);
  });
});
