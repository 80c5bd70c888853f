import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = new URL("../module/", import.meta.url);
const module = readFileSync(new URL("pixels.wasm", import.meta.url));
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Another version may choose other instructions. */
const compiler = spawnSync("clang", ["--version"], { encoding: "utf8" }).stdout ?? "";
const hasCompiler =
  / version 14\./.test(compiler) && spawnSync("wasm-ld", ["--version"]).status === 0;

describe("the committed module", () => {
  it("has the committed hash", () => {
    const expected = readFileSync(new URL("pixels.wasm.sha256", folder), "utf8");
    expect(`${hashOf(module)}  pixels.wasm`).toBe(expected.trim());
  });

  it.skipIf(!hasCompiler)("is what clang 14 makes of its source", async () => {
    const work = await mkdtemp(join(tmpdir(), "atelier-pixels-"));
    try {
      const file = join(work, "pixels.wasm");
      execFileSync("sh", [fileURLToPath(new URL("build.sh", folder)), file]);
      expect(hashOf(readFileSync(file))).toBe(hashOf(module));
    } finally {
      await rm(work, { recursive: true });
    }
  });
});
