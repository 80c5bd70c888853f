import type { Stack, TestAccount } from "@atelier/testing";
import type { WorkerAttack } from "./attack-worker.ts";

/** Requests of one body. */
const maxRequests = 1_000;

/**
 * Creates an attack of batches, which go on while the neighbour makes its images: its images bound the time
 * of the measurement. The provider takes two seconds, as vendors do at least, so that the places of the worker are what both share.
 *
 * @param lines requests in all batches, at most 10,000.
 */
function createBatchAttack(lines: number, neighbourImages: number): WorkerAttack {
  return {
    bounds: { ratio: 1.5, p95Ms: 5_000, peakMb: 1_536 },
    callMs: 2_000,
    neighbourImages,
    environment: { GENERATIONS_PER_MINUTE: "1000000", MAX_UNFINISHED_JOBS: "100" },
    async submit(service, attacker) {
      for (let left = lines; left > 0; left -= maxRequests) {
        await createBatch(service, attacker, Math.min(left, maxRequests));
      }
      // The neighbour does not wait for their jobs.
      return new Map();
    },
    close: () => Promise.resolve(),
  };
}

/** An attack of one batch, for the harness. */
export function attackWithBatch(): Promise<WorkerAttack> {
  return Promise.resolve(createBatchAttack(maxRequests, 12));
}

async function createBatch(service: Stack, attacker: TestAccount, lines: number): Promise<void> {
  const body = { model: "fake-blind", prompt: "a lighthouse" };
  const requests = Array.from({ length: lines }, () => ({ operation: "image", body }));
  const response = await service.request(attacker, "POST", "/v1/batches", { requests });
  if (response.status !== 202) throw new Error(`a batch was answered ${response.status}`);
}
