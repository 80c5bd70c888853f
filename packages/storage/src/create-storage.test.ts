import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, expect, test } from "vitest";

import { createStorage } from "./create-storage.ts";
import { StorageError } from "./storage-error.ts";

const options = {
  publicUrl: "https://images.example/atelier/",
  signingSecret: "a secret of the tests, of some length",
};
const directory = await mkdtemp(join(tmpdir(), "atelier storage "));

afterAll(() => rm(directory, { recursive: true }));

test("a file: URL is an absolute or relative directory", async () => {
  const absolute = await createStorage({ ...options, url: pathToFileURL(directory).href });
  await absolute.put("a.json", Buffer.from("{}"), { contentType: "application/json" });

  for (const url of [`file:${directory}`, `file:${relative(process.cwd(), directory)}`]) {
    const storage = await createStorage({ ...options, url });
    expect((await storage.get("a.json"))?.contentType).toBe("application/json");
  }
});

test("creates a missing directory unless it must exist", async () => {
  const url = `file:${directory}/images`;
  await expect(createStorage({ ...options, url, mustExist: true })).rejects.toThrow("ENOENT");
  await createStorage({ ...options, url });
  await createStorage({ ...options, url, mustExist: true });
});

test("signed URLs start with the public URL including its path", async () => {
  const storage = await createStorage({ ...options, url: `file:${directory}` });
  const { url } = await storage.sign("a/b.png", { expiresInSeconds: 60, downloadName: "b.png" });
  expect(url).toMatch(
    /^https:\/\/images\.example\/atelier\/images\/a\/b\.png\?expires=\d+&name=b\.png&signature=[\w-]{43}$/,
  );
  expect(await storage.resolveSignedUrl(url)).toBe("a/b.png");
  expect(await storage.resolveSignedUrl(url.replace("/atelier/", "/"))).toBeNull();
});

test("rejects other URLs without repeating their secrets", async () => {
  const error = await createStorage({ ...options, url: "ftp://me:secret@host/" }).catch(String);
  expect(error).toContain("file: or s3://");
  expect(error).not.toContain("secret");
});

test("check fails with less free space than min_free_mb", async () => {
  const url = `file://${encodeURI(directory)}?min_free_mb=`;
  const withSpace = await createStorage({ ...options, url: `${url}0` });
  await withSpace.check();
  const full = await createStorage({ ...options, url: `${url}999999999` });
  const error = await full.check().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({ isFull: true, message: expect.stringContaining("MB are free") });
  await expect(createStorage({ ...options, url: `${url}much` })).rejects.toThrow("min_free_mb");
});

test("failures of the store are StorageErrors, invalid arguments are not", async () => {
  const storage = await createStorage({ ...options, url: `file:${directory}` });
  await writeFile(join(directory, "full"), "a file in place of a folder");
  const json = { contentType: "application/json" };
  await expect(storage.put("full/a.json", Buffer.from("{}"), json)).rejects.toThrow(StorageError);
  await expect(storage.put("../a.json", Buffer.from("{}"), json)).rejects.toThrow(TypeError);
});
