import { setTimeout as delay } from "node:timers/promises";
import type { Stack, TestAccount } from "@atelier/testing";
import { completeBatch, type ClientBatch } from "../shared/complete-batch.ts";
import { createRandom } from "../shared/random.ts";

/** A batch of the load, with what its client received. */
export interface BatchRecord extends ClientBatch {
  readonly accountId: string;
  readonly key: string;
  readonly lines: number;
  /** When the client stopped, in milliseconds since 1970. */
  readonly stoppedAt: number;
}

/** Clients that send small batches. */
export interface BatchLoad {
  /** Batches whose clients have their results or gave up. */
  readonly records: readonly BatchRecord[];
  /** Stops the arrival of clients, and waits for those that are there. */
  settle(): Promise<void>;
}

/** Time between two batches. */
const everyMs = 8_000;

/** The last line of a batch, which is refused. */
const refusedLine = { operation: "image", body: { model: "no-such-model", prompt: "a mill" } };

/** Starts clients that send batches of 4 to 8 lines, every second one as a file, until it is settled. */
export function startBatches(options: {
  readonly stack: Stack;
  readonly accounts: readonly [TestAccount, ...TestAccount[]];
  readonly seed: number;
  readonly patienceMs: number;
}): BatchLoad {
  const { stack, accounts, seed, patienceMs } = options;
  const random = createRandom(seed);
  const records: BatchRecord[] = [];
  const clients: Promise<void>[] = [];
  const closing = new AbortController();

  async function run(index: number): Promise<void> {
    const { accountId, key: apiKey } = random.pick(accounts);
    const made = Array.from({ length: random.between(3, 7) }, (_, line) => ({
      operation: "image",
      body: {
        model: random.pick(["fake-blind", "fake-resumable"] as const),
        prompt: `a boat, ${line}`,
      },
    }));
    const requests = [...made, refusedLine];
    const key = `batch-${index}`;
    const batch = { requests, idempotencyKey: key, isFile: index % 2 === 1 };
    const outcome = await completeBatch({ url: stack.url, key: apiKey }, batch, patienceMs);
    records.push({ ...outcome, accountId, key, lines: requests.length, stoppedAt: Date.now() });
  }

  const arrivals = (async () => {
    for (let index = 0; !closing.signal.aborted; index += 1) {
      clients.push(run(index));
      await delay(everyMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();

  return {
    records,
    async settle() {
      closing.abort();
      await arrivals;
      await Promise.all(clients);
    },
  };
}
