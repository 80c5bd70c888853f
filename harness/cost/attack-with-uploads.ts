import { randomFillSync } from "node:crypto";
import { constants, deflateSync } from "node:zlib";
import { pngChunk, pngHeader } from "@atelier/guarded-fetch/testing/images";
import { acceptJob, tryJob, untilFinal, uploadImage, type WorkerAttack } from "./attack-worker.ts";

/** Half of the limit of uploads: larger ones can take too long to decode on a busy machine. */
const width = 5_000;
const height = 4_000;
const combinations = 4;
const partsPerCombination = 5;

/**
 * Creates an attack of combinations that use a large upload five times, and of ones with a
 * truncated upload, which is refused without a job once a worker has failed to decode it.
 */
export function attackWithUploads(): WorkerAttack {
  return {
    bounds: { ratio: 20, p95Ms: 15_000, peakMb: 3_000 },
    neighbourModel: "builtin-illustrator",
    environment: {},
    async submit(service, attacker) {
      const bytes = noisePng();
      const uploaded = await uploadImage(service, attacker, bytes);
      const truncated = await uploadImage(service, attacker, bytes.subarray(0, -4_000));
      const bodyOf = (...ids: readonly string[]) => ({
        model: "builtin-illustrator",
        prompt: "all of them",
        images: ids.map((upload_id) => ({ description: "noise", upload_id })),
      });
      const broken = bodyOf(uploaded, uploaded, uploaded, uploaded, truncated);
      const first = await acceptJob(service, attacker, "combine", broken);
      await untilFinal(service, attacker, [first]);
      const again = await tryJob(service, attacker, "combine", broken);
      if (again !== null) throw new Error("an upload that did not decode was accepted again");
      const same = bodyOf(...Array.from({ length: partsPerCombination }, () => uploaded));
      const jobs = new Map<string, readonly string[]>([[first, ["reference_invalid"]]]);
      for (let index = 0; index < combinations; index++) {
        jobs.set(await acceptJob(service, attacker, "combine", same), ["completed"]);
      }
      return jobs;
    },
    close: () => Promise.resolve(),
  };
}

/** A PNG in grey with two random bits per pixel. */
function noisePng(): Buffer {
  const rowBytes = 1 + width / 4;
  const rows = randomFillSync(Buffer.alloc(rowBytes * height));
  // Each row starts with its filter: none.
  for (let row = 0; row < height; row++) rows[row * rowBytes] = 0;
  return Buffer.concat([
    pngHeader(width, height, { bitDepth: 2, colourType: 0 }),
    pngChunk("IDAT", deflateSync(rows, { strategy: constants.Z_HUFFMAN_ONLY })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
