import { claimWebhook } from "@atelier/events";
import { startLoop, type Loop } from "@atelier/process";
import { deliver, leaseMs, type DeliveryDependencies } from "./deliver.ts";

/** Webhooks that this process delivers to at the same time. */
const slots = 16;

/** Delay between two looks for due deliveries, in milliseconds. */
const intervalMs = 500;

/**
 * Delivers events to webhooks. Every worker does; a webhook is claimed by one at a time. After a stop,
 * requests in progress are aborted and sent again by another worker.
 */
export function startWebhooks(dependencies: DeliveryDependencies): Loop {
  const { database, logger } = dependencies;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const onError = (error: unknown) =>
    logger.warn({ err: error }, "webhooks failed, will try again");

  const loop = startLoop(
    async (stopped) => {
      while (running.size < slots && !stopped.aborted) {
        const claim = await claimWebhook(database, leaseMs);
        if (claim === null) break;
        const delivering = deliver(claim, dependencies, stopping.signal)
          .catch(onError)
          .finally(() => running.delete(delivering));
        running.add(delivering);
      }
    },
    {
      // Jitter keeps workers that started together from asking at the same time.
      firstDelayMs: intervalMs * Math.random(),
      delayMs: () => intervalMs,
      onError,
    },
  );
  return {
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await loop.stop();
      await Promise.all(running);
    },
  };
}
