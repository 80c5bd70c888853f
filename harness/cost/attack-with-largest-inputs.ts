import { randomFillSync } from "node:crypto";
import { deflateSync, constants } from "node:zlib";
import { pngChunk, pngHeader } from "@atelier/guarded-fetch/testing/images";
import type { Stack, TestAccount } from "@atelier/testing";
import { acceptJob, untilFinal, uploadImage, type WorkerAttack } from "./attack-worker.ts";
import { brokenDiagrams } from "./hostile-diagrams.ts";

/** The side of the largest square image that can be edited. */
const side = 4_096;
/** As many as a worker with the default concurrency has in progress. */
const combinations = 4;
const edits = 2;
const partsPerCombination = 5;

/**
 * A quarter above the measured peak of 3,750 MB, and below the limit of the container in
 * `deploy/kubernetes`: four combinations have 20 images of 62 MB in memory, and copies of those whose
 * result is being signed or waits for it.
 */
const peakMb = 4_690;

/**
 * Creates an attack of jobs that are as large as the limits allow: masked edits and combinations of the
 * largest images, and diagrams that crash the layout or exhaust its time or memory.
 */
export function attackWithLargestInputs(): WorkerAttack {
  return {
    // The neighbour's images wait for threads that sign images 16 times as large.
    bounds: { ratio: 120, p95Ms: 60_000, peakMb },
    environment: {},
    submit: acceptAll,
    close: () => Promise.resolve(),
  };
}

async function acceptAll(
  service: Stack,
  attacker: TestAccount,
): Promise<Map<string, readonly string[]>> {
  const jobs = new Map<string, readonly string[]>();
  const accept = async (operation: string, body: object, end: string): Promise<string> => {
    const id = await acceptJob(service, attacker, operation, body);
    jobs.set(id, [end]);
    return id;
  };
  const model = "builtin-illustrator";
  const edit = (image: object) =>
    // The transparent pixels of a mask mark what to change.
    accept("edit", { model, prompt: "a blue lake", image, mask: image }, "completed");
  // The others use the image of this edit: it is not decoded again, and larger than an upload may be.
  const first = await edit({ upload_id: await uploadImage(service, attacker, noisePng()) });
  await untilFinal(service, attacker, [first]);
  const image = { job_id: first };
  for (let index = 0; index < combinations; index++) {
    // A description of nothing that can be drawn, so that the images themselves become a collage.
    const part = { description: "noise", ...image };
    const images = Array.from({ length: partsPerCombination }, () => part);
    const prompt = "all of them";
    await accept("combine", { model, prompt, images, image_size: "4K" }, "completed");
  }
  for (let index = 0; index < edits; index++) await edit(image);
  for (const source of brokenDiagrams()) {
    const body = { model: "builtin-diagram", language: "dot", source };
    await accept("diagram", body, "diagram_invalid");
  }
  return jobs;
}

/**
 * A PNG with transparency and two random bits per channel, which compress to no
 * less: 17 MB of the 20 MB that an upload may have.
 */
function noisePng(): Buffer {
  const rowBytes = 1 + 4 * side;
  const rows = randomFillSync(Buffer.alloc(rowBytes * side));
  for (let index = 0; index < rows.length; index++) {
    // Each row starts with its filter: none.
    rows[index] = index % rowBytes === 0 ? 0 : ((rows[index] ?? 0) & 3) * 85;
  }
  return Buffer.concat([
    pngHeader(side, side, { bitDepth: 8, colourType: 6 }),
    pngChunk("IDAT", deflateSync(rows, { strategy: constants.Z_HUFFMAN_ONLY })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
