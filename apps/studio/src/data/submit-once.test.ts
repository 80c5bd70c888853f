import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const sources = join(import.meta.dirname, "..");
/** A call of an operation that charges for images. */
const order =
  /\b(call|request)\(\s*["`]POST \/v1\/(batches|characters|generate|images|locations)\b/;
/** A path of the API that is not that of an endpoint. */
const path = /["`]\/v1\//;

async function filesWith(pattern: RegExp): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob("**/*.{ts,tsx}", { cwd: sources, exclude: ["**/*.test.*"] })) {
    if (pattern.test(await readFile(join(sources, file), "utf8"))) found.push(file);
  }
  return found;
}

describe("submitOnce", () => {
  it("is the only place from which Studio sends requests that cost money", async () => {
    expect(await filesWith(order)).toEqual(["data/submit-once.ts"]);
  });
});

describe("a request to the API", () => {
  it("names its endpoint, whose record has the types of its query, body and result", async () => {
    // It ends the session after any request that is refused.
    expect(await filesWith(path)).toEqual(["api.ts"]);
  });
});
