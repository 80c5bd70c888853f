import { readFile } from "node:fs/promises";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { createMarker } from "@atelier/provenance/images";
import { claimGenerator } from "../../apps/worker/src/render/claim-generator.ts";

/**
 * Measures the upper bound of this machine: a process that only watermarks, encodes, signs, verifies and
 * hashes, with as many concurrent images as a worker. Prints images per second.
 */
const [image = "", seconds = "10", concurrency = "4"] = process.argv.slice(2);
const bytes = await readFile(image);
const certificates = await createDevelopmentCertificates();
const marker = await createMarker({
  certificateChainPem: certificates.certificateChainPem,
  privateKeyPem: certificates.privateKeyPem,
  trustAnchorsPem: certificates.rootPem,
  claimGenerator,
  watermarkSecrets: ["the watermark secret of the bench"],
});
const model = { id: "bench", name: "Bench", provider: "bench", procedural: false };
const markOne = () =>
  marker.mark({ image: { bytes }, model, ingredients: [], createdAt: new Date() });

await markOne();
const startedAt = performance.now();
const endsAt = startedAt + Number(seconds) * 1_000;
let done = 0;
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (performance.now() < endsAt) {
      await markOne();
      done++;
    }
  }),
);
process.stdout.write(`${(done / (performance.now() - startedAt)) * 1_000}\n`);
