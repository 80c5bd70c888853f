import { claimWebhook } from "@atelier/events";
import { startLoop, type Loop } from "@atelier/process";
import { deliver, leaseMs, type DeliveryDependencies } from "./deliver.ts";

/** Webhooks that this process delivers to at the same time. */
const slots = 16;

/** Bounds the looks for due deliveries, in milliseconds, when many events are written. */
const gapMs = 200;

/** Delay until a delivery is looked for again that is due, but whose webhook is not free. */
const retryMs = 500;

/** Longest delay between two looks, since notifications may be lost. */
const longestIntervalMs = 10_000;

/**
 * Delivers events to webhooks. Every worker does; a webhook is claimed by one at a time. A worker looks for
 * due deliveries when it is woken by a notification on `deliveryChannel`, when it has released a webhook,
 * and when the next delivery is due. After a stop, requests in progress are aborted and sent again by
 * another worker.
 */
export function startWebhooks(dependencies: DeliveryDependencies): Loop {
  const { database, logger } = dependencies;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const onError = (error: unknown) =>
    logger.warn({ err: error }, "webhooks failed, will try again");

  let delayMs = retryMs;
  const loop = startLoop(
    async (stopped) => {
      delayMs = retryMs;
      while (running.size < slots && !stopped.aborted) {
        const { claimed, dueInMs } = await claimWebhook(database, leaseMs);
        if (claimed === null) {
          // Jitter keeps workers that started together from asking at the same time.
          const longestMs = longestIntervalMs * (0.75 + Math.random() / 4);
          delayMs = Math.min(Math.max(dueInMs ?? longestMs, retryMs), longestMs);
          break;
        }
        const delivering = deliver(claimed, dependencies, stopping.signal)
          .catch(onError)
          .finally(() => {
            running.delete(delivering);
            loop.wake();
          });
        running.add(delivering);
      }
    },
    { firstDelayMs: retryMs * Math.random(), delayMs: () => delayMs, gapMs, onError },
  );
  return {
    wake: () => loop.wake(),
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await loop.stop();
      await Promise.all(running);
    },
  };
}
