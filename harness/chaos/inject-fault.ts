import { setTimeout as delay } from "node:timers/promises";
import { eraseActiveAccount } from "./erase-active-account.ts";
import { killInGroup } from "./kill-in-group.ts";
import type { Load } from "./load.ts";
import { restoreDatabase } from "./restore-database.ts";
import type { Fault } from "./schedule.ts";
import type { Site } from "./site.ts";

/**
 * Time that a worker which should exit at a step waits for a render; other workers may claim all.
 */
const waitForRenderMs = 10_000;

/**
 * Executes a fault, and settles when it is over and killed processes have restarted.
 *
 * @throws Error when it had no effect: no render arrived, or the target was unavailable.
 */
export async function injectFault(fault: Fault, site: Site, load: Load): Promise<void> {
  if ("service" in fault) {
    const proxy = site.proxies.get(fault.service);
    proxy?.setFault(fault.networkFault);
    await delay(fault.networkFault === "cut" ? 0 : fault.forMs);
    proxy?.setFault(null);
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
    case "worker killed in a grouped commit":
      return killInGroup(site, load, fault.isCommitted);
    case "API killed":
      site.api.signal("SIGKILL");
      return site.api.replaced();
    case "own server killed":
      return site.killOwnServer(fault.server, fault.forMs);
    case "queue emptied":
      return site.emptyQueue();
    case "queue's server restarted empty":
      return site.restartRedis();
    case "Postgres restarted at once":
      return site.restartPostgres();
    case "midnight":
      return site.passMidnight();
    case "account erased":
      return eraseActiveAccount(site);
    case "database lost and restored":
      return restoreDatabase(site);
    case "provider misbehaves":
      site.misbehave(true);
      await delay(fault.forMs);
      site.misbehave(false);
      return;
  }
}
