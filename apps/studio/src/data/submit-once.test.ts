import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const sources = join(import.meta.dirname, "..");
/** A call of `send`, `sendJson` or `call` with the address of an operation that charges for images. */
const order =
  /\b(send(Json)?(<[^>(]*>)?\(\s*"POST",\s*["`]|call\(\s*["`]POST )\/v1\/(batches|characters|generate|images|locations)\b/;

describe("submitOnce", () => {
  it("is the only place from which Studio sends requests that cost money", async () => {
    const senders: string[] = [];
    for await (const file of glob("**/*.{ts,tsx}", { cwd: sources })) {
      if (order.test(await readFile(join(sources, file), "utf8"))) senders.push(file);
    }
    expect(senders).toEqual(["data/submit-once.ts"]);
  });
});
