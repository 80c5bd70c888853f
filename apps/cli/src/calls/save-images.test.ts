import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertSpace, saveFile } from "./save-images.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-save-"));
});
afterEach(() => rm(directory, { recursive: true }));

it("leaves no partial file", async () => {
  const directoryPath = join(directory, "fox.png");
  await mkdir(directoryPath);
  await expect(saveFile(directoryPath, Buffer.from("image"))).rejects.toThrow("EISDIR");
  expect(await readdir(directory)).toEqual(["fox.png"]);
});

describe("free space", () => {
  const disk = { blocks: 1_000, bavail: 10, bsize: 4_096 };

  it("must suffice for an image", () => {
    expect(() => assertSpace(disk, 10_000_000)).toThrow(
      "the disk has 0 MB free, but 10 MB may be needed",
    );
    expect(() => assertSpace({ ...disk, bavail: 10_000 }, 10_000_000)).not.toThrow();
  });

  it("is assumed if the file system does not report it", () => {
    expect(() => assertSpace({ blocks: 0, bavail: 0, bsize: 4_096 }, 10_000_000)).not.toThrow();
  });
});
