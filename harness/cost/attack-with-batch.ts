import type { Stack, TestAccount } from "@atelier/testing";
import type { WorkerAttack } from "./attack-worker.ts";

/** Requests of the batch. */
const lines = 10_000;

/** An attack of a batch, which goes on while the neighbour makes its images. */
function createBatchAttack(callMs: number): Promise<WorkerAttack> {
  return Promise.resolve({
    bounds: { ratio: 1.5, p95Ms: 5_000, peakMb: 1_536 },
    callMs,
    neighbourImages: 20,
    environment: { GENERATIONS_PER_MINUTE: "1000000", MAX_UNFINISHED_JOBS: "100" },
    async submit(service, attacker) {
      await createBatch(service, attacker);
      // The neighbour does not wait for their jobs.
      return new Map();
    },
    close: () => Promise.resolve(),
  });
}

/** The provider takes two seconds, as vendors do at least: both share the places of the worker. */
export const attackWithBatch = () => createBatchAttack(2_000);

/** The provider responds at once: both share the processors, which decode, mark and sign the images. */
export const attackWithFastBatch = () => createBatchAttack(0);

async function createBatch(service: Stack, attacker: TestAccount): Promise<void> {
  const body = { model: "fake-blind", prompt: "a lighthouse" };
  const line = `${JSON.stringify({ operation: "image", body })}\n`;
  const response = await fetch(`${service.url}/v1/batches`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${attacker.key}`,
      "Content-Type": "application/jsonl",
    },
    body: line.repeat(lines),
  });
  if (response.status !== 202) throw new Error(`the response to a batch was ${response.status}`);
}
