import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, newId } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { createMarker } from "@atelier/provenance/images";
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import { openLocalVerifier } from "./verify-locally.ts";
import { verifyFiles } from "./verify.ts";

it("names the record of each image in a folder and the technique that found it", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-verify-"));
  const { url } = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url, poolSize: 1, applicationName: "test" });
  try {
    const secret = "the watermark secret of this installation";
    const { rootPem, ...certificates } = await createDevelopmentCertificates();
    const marker = await createMarker({
      ...certificates,
      trustAnchorsPem: rootPem,
      claimGenerator: { name: "Atelier", version: "1.0.0" },
      watermarkSecrets: [secret],
    });
    const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
    const create = { width: 384, height: 320, channels: 3, background: "#888", noise } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    const model = { id: "acme", name: "Acme", provider: "acme", procedural: true };
    const createdAt = new Date();
    const [png] = await marker.mark({ image: { bytes }, model, ingredients: [], createdAt });
    const { watermarkId, perceptualHash } = png!.softBinding;
    await database.query(
      `INSERT INTO mark (render_id, model, watermark_id, perceptual_hash)
       VALUES ($1, 'acme', $2, ('x' || $3)::bit(256))`,
      [newId(), watermarkId, perceptualHash],
    );
    await writeFile(join(home, "copy.jpg"), await sharp(png!.bytes).jpeg().toBuffer());
    await writeFile(join(home, "notes.png"), "not an image");

    const environment = { DATABASE_URL: url, WATERMARK_SECRET: secret, ATELIER_HOME: home };
    const verifier = await openLocalVerifier(undefined, environment);
    const { json, text, exitCode } = await verifyFiles([home], verifier);
    expect(json).toMatchObject([
      { file: join(home, "copy.jpg"), verdict: "made_here", image: { model: "acme" } },
      { file: join(home, "notes.png"), verdict: "not_an_image" },
    ]);
    expect(text).toContain("watermark, fingerprint");
    expect(exitCode).toBe(9);
  } finally {
    await database.close();
    await rm(home, { recursive: true });
  }
});
