import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack.stop());

/** Sends a request whose response `fetch` would decompress. */
async function getRaw(path: string, accepted: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(stack.url);
  const headers = {
    Authorization: `Bearer ${client.account.key}`,
    ...(accepted !== "" && { "Accept-Encoding": accepted }),
  };
  const [response] = (await once(request({ hostname, port, path, headers }).end(), "response")) as [
    IncomingMessage,
  ];
  return response;
}

const decompress = { br: brotliDecompressSync, gzip: gunzipSync };

/** A request with many problems, whose error lists them. */
const faulty = `/v1/jobs?${Array.from({ length: 30 }, (_, index) => `unknown-${index}=x`).join("&")}`;

describe.each(["/v1/models", "/openapi.json", faulty])(
  "JSON of more than 1 kB, such as that of %s,",
  (path) => {
    it.each([
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["*", "br"],
    ] as const)("is compressed for Accept-Encoding: %s", async (accepted, encoding) => {
      const plain = await buffer(await getRaw(path, ""));
      const response = await getRaw(path, accepted);
      const body = await buffer(response);
      expect(response.headers).toMatchObject({
        "content-encoding": encoding,
        "content-type": "application/json; charset=utf-8",
        "content-length": String(body.length),
        vary: expect.stringContaining("Accept-Encoding"),
      });
      expect(body.length).toBeLessThan(plain.length);
      const sizes = [decompress[encoding](body), plain].map(({ length }) => length);
      expect(sizes[0]).toBe(sizes[1]);
    });

    it("is not compressed for other clients", async () => {
      for (const accepted of ["", "identity", "deflate", "gzip;q=0"]) {
        const response = await getRaw(path, accepted);
        expect(response.headers["content-encoding"]).toBeUndefined();
        expect(JSON.parse((await buffer(response)).toString())).toBeTypeOf("object");
      }
    });
  },
);

it("sends smaller JSON as it is", async () => {
  const response = await getRaw("/v1/account", "gzip, br");
  expect(response.headers["content-encoding"]).toBeUndefined();
  expect(JSON.parse((await buffer(response)).toString())).toMatchObject({ balance_eur: "10.00" });
});

it("has one ETag for each encoding of the document", async () => {
  const etags = new Set<unknown>();
  for (const accepted of ["", "gzip", "br"]) {
    const response = await getRaw("/openapi.json", accepted);
    etags.add(response.headers.etag);
    response.resume();
  }
  expect(etags.size).toBe(3);
});

it("sends the events of a stream at once, uncompressed", async () => {
  const response = await getRaw("/v1/events", "gzip, br");
  expect(response.headers["content-encoding"]).toBeUndefined();
  const firstEvent = once(response, "data");
  await client.accept();
  const [chunk] = (await firstEvent) as [Buffer];
  expect(chunk.toString()).toMatch(/^(:|id:|event:|retry:)/);
  response.destroy();
});
