import { readFile } from "node:fs/promises";
import { createDevelopmentCertificates, createMarker } from "@atelier/provenance";
import { claimGenerator } from "../apps/worker/src/claim-generator.ts";

/**
 * What encoding, marking, signing, verifying and hashing alone allow on this machine: a process that
 * does nothing else, with as many images under way as a worker has. Prints images per second.
 */
const [image = "", seconds = "10", concurrency = "4"] = process.argv.slice(2);
const bytes = await readFile(image);
const certificates = await createDevelopmentCertificates();
const marker = await createMarker({
  certificateChainPem: certificates.certificateChainPem,
  privateKeyPem: certificates.privateKeyPem,
  trustAnchorsPem: certificates.rootPem,
  claimGenerator,
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
