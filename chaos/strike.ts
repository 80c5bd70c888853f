import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "./schedule.ts";
import type { Site } from "./site.ts";

/** How long a worker that is to die at a step may wait for a render: others may take all that come. */
const waitForRenderMs = 10_000;

/**
 * Has a fault happen, and settles when it is over. What was killed runs again then.
 *
 * @throws Error when it met nothing: no render came, or what it was to break was away.
 */
export async function strike(fault: Fault, site: Site): Promise<void> {
  if ("service" in fault) {
    const proxy = site.proxies.get(fault.service);
    proxy?.trouble(fault.trouble);
    await delay(fault.trouble === "cut" ? 0 : fault.forMs);
    proxy?.trouble(null);
    return;
  }
  switch (fault.kind) {
    case "worker killed": {
      const worker = site.workers[fault.worker];
      worker?.signal("SIGKILL");
      return worker?.replaced();
    }
    case "worker killed at a step": {
      const worker = site.workers[fault.worker];
      const ended = worker?.ended().then(() => true);
      const replaced = worker?.replaced();
      await site.dieAt(fault.worker, fault.step);
      if (!(await Promise.race([ended, delay(waitForRenderMs, false)]))) {
        await site.dieAt(fault.worker, null);
        throw new Error("no render came to the worker");
      }
      return replaced;
    }
    case "worker frozen past its lock":
      site.workers[fault.worker]?.signal("SIGSTOP");
      await delay(fault.forMs);
      site.workers[fault.worker]?.signal("SIGCONT");
      return;
    case "API killed":
      site.api.signal("SIGKILL");
      return site.api.replaced();
    case "queue emptied":
      return site.emptyQueue();
    case "queue's server restarted empty":
      return site.restartRedis();
    case "Postgres restarted at once":
      return site.restartPostgres();
    case "provider misbehaves":
      site.misbehave(true);
      await delay(fault.forMs);
      site.misbehave(false);
      return;
  }
}
