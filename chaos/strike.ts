import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "./schedule.ts";
import type { Site } from "./site.ts";

/** How long a worker that is to die at a step may wait for a render: others may take all that come. */
const waitForRenderMs = 10_000;

/**
 * Has a fault happen, and settles when it is over. What was killed runs again then.
 *
 * @returns whether it happened.
 */
export async function strike(fault: Fault, site: Site): Promise<boolean> {
  if ("service" in fault) {
    const proxy = site.proxies.get(fault.service);
    proxy?.trouble(fault.trouble);
    await delay(fault.trouble === "cut" ? 0 : fault.forMs);
    proxy?.trouble(null);
    return true;
  }
  switch (fault.kind) {
    case "worker killed": {
      const worker = site.workers[fault.worker];
      worker?.signal("SIGKILL");
      await worker?.replaced();
      return true;
    }
    case "worker killed at a step": {
      const worker = site.workers[fault.worker];
      const ended = worker?.ended().then(() => true);
      const replaced = worker?.replaced();
      await site.dieAt(fault.worker, fault.step);
      if (!(await Promise.race([ended, delay(waitForRenderMs, false)]))) {
        await site.dieAt(fault.worker, null);
        return false;
      }
      await replaced;
      return true;
    }
    case "worker frozen past its lock":
      site.workers[fault.worker]?.signal("SIGSTOP");
      await delay(fault.forMs);
      site.workers[fault.worker]?.signal("SIGCONT");
      return true;
    case "API killed":
      site.api.signal("SIGKILL");
      await site.api.replaced();
      return true;
    case "queue emptied":
      await site.emptyQueue();
      return true;
    case "queue's server restarted empty":
      await site.restartRedis();
      return true;
    case "Postgres restarted at once":
      await site.restartPostgres();
      return true;
    case "provider misbehaves":
      site.misbehave(true);
      await delay(fault.forMs);
      site.misbehave(false);
      return true;
  }
}
