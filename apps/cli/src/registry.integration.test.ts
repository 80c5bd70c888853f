import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import { run } from "./run.ts";

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
  <rect width="256" height="256" fill="#7fb2d9"/><rect y="150" width="256" height="106" fill="#2f4a3f"/>
  <circle cx="80" cy="90" r="50" fill="#fff3d6"/><path d="M120 200 L190 60 L250 210 Z" fill="#a33"/>
  <path d="M10 240 L60 170 L110 250 Z" fill="#dd8"/></svg>`;

const secret = "a secret that is long enough for this test";

it("registry-fill enters older images with hash and look, once, and verify then finds similar images", async () => {
  const directory = await mkdtemp(join(tmpdir(), "atelier-registry-"));
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  const environment = {
    DATABASE_URL: testDatabase.url,
    STORAGE_URL: pathToFileURL(directory).href,
    ATELIER_HOME: directory,
  };
  const command = async (...words: string[]) => {
    let output = "";
    const exitCode = await run([...words, "--json"], {
      environment,
      stdout: { write: (text: string) => (output += text) },
      stderr: { write: () => undefined },
      onInterruption: () => new AbortController().signal,
    });
    return { exitCode, answer: JSON.parse(output) as Record<string, unknown> };
  };
  try {
    await fillHistory(database, { accounts: 1, generations: 3, imagesKept: true });
    await database.query("DELETE FROM mark");
    await database.query("DELETE FROM mark_file");
    const [stored] = await database.query<{ key: string; images: number }>(
      `SELECT storage_key AS key, (SELECT count(DISTINCT render_id)::int FROM image) AS images
         FROM image WHERE format = 'png' AND deleted_at IS NULL LIMIT 1`,
    );
    const png = await sharp(Buffer.from(drawing)).removeAlpha().png().toBuffer();
    const storage = await createStorage({
      url: environment.STORAGE_URL,
      publicUrl: "http://127.0.0.1",
      signingSecret: secret,
    });
    await storage.put(stored!.key, png, { contentType: "image/png" });
    await storage.close();

    const first = await command("registry-fill");
    expect(first).toMatchObject({ exitCode: 0, answer: { registered: stored!.images, hashed: 1 } });
    expect(await command("registry-fill")).toMatchObject({
      answer: { registered: 0, hashed: 0 },
    });

    const copy = join(directory, "copy.jpg");
    await sharp(png).jpeg({ quality: 60 }).toFile(copy);
    expect(await command("verify", copy)).toMatchObject({
      exitCode: 9,
      answer: {
        verdict: "similar_found",
        based_on: ["fingerprint"],
        image: { model: "builtin-illustrator" },
      },
    });
  } finally {
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true });
  }
});
