import { findReplacements, readCalls, readLanes, readWorkers } from "@atelier/generations/inspect";
import { presentPrices } from "@atelier/models";
import { formatEur, parseEur } from "@atelier/schemas";
import * as admin from "@atelier/schemas/admin";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";
import { cacheForSeconds } from "../service-totals.ts";
import { laneNotFound } from "./record-write.ts";
import type { Operator } from "./session.ts";

/** Ended calls of all providers that the error rates are computed from. */
const maxCalls = 5_000;

const hourMs = 3_600_000;

const countOf = (calls: readonly { readonly calls: number }[]) =>
  calls.reduce((sum, one) => sum + one.calls, 0);

/** `/admin/v1/health` and `/admin/v1/lanes`. */
export function serveHealth(
  routes: Routes<Operator>,
  { catalogue, database, lanes, queues }: Needs<"catalogue" | "database" | "lanes" | "queues">,
): void {
  // It costs more the more images wait.
  const { read, drop } = cacheForSeconds(async () => {
    const known = new Map((await readLanes(database)).map((lane) => [lane.lane, lane]));
    const since = new Date(Date.now() - hourMs);
    const calls = await readCalls(database, { since, limit: maxCalls });
    const counted = countOf(calls);
    const workers = await readWorkers(database);
    const replacements = findReplacements(workers);
    const paused = await queues.pausedLanes().catch(() => null);
    return {
      lanes: [...new Set([...lanes, ...known.keys()])].toSorted().map((name) => {
        const lane = known.get(name);
        const accounts = [...(lane?.accounts ?? [])];
        const ended = calls.filter(({ provider }) => provider === name);
        const failed = ended.filter(({ isFailure }) => isFailure);
        const [all, failures] = [countOf(ended), countOf(failed)];
        return {
          name,
          is_paused: paused?.includes(name) ?? null,
          can_pause: lanes.includes(name),
          waiting: lane?.waiting ?? 0,
          running: lane?.running ?? 0,
          oldest_seconds: lane?.oldestSeconds ?? 0,
          oldest_job_id: lane?.oldestJobId ?? null,
          accounts,
          circuit: {
            state: lane?.openUntil == null ? "closed" : lane.isOpen ? "open" : "half_open",
            failures: lane?.failures ?? 0,
            reason: lane?.reason ?? null,
            open_until: lane?.openUntil?.toISOString() ?? null,
            changed_at: lane?.changedAt?.toISOString() ?? null,
          },
          last_hour: {
            calls: all,
            failed_calls: failures,
            error_rate: all === 0 ? null : failures / all,
            errors: failed.map(({ outcome: kind, calls: count, lastAt }) => ({
              kind,
              count,
              last_at: lastAt.toISOString(),
            })),
            is_complete: counted < maxCalls,
          },
          models: modelsOf(name),
        } as const;
      }),
      workers: workers.map((worker) => ({
        id: worker.id,
        host: worker.host,
        version: worker.version,
        lanes: [...worker.lanes],
        started_at: worker.startedAt.toISOString(),
        seen_at: worker.seenAt.toISOString(),
        is_silent: worker.isSilent,
        replaced_by: replacements.get(worker.id) ?? null,
      })),
    };
  });

  routes.add(admin.readHealth, read);

  const switches = [
    [admin.pauseLane, true],
    [admin.resumeLane, false],
  ] as const;
  for (const [endpoint, isPaused] of switches) {
    routes.add(
      endpoint,
      async ({ params: { name } }) => {
        await queues.setPaused(name, isPaused).finally(drop);
        return { name, is_paused: isPaused };
      },
      { notFound: laneNotFound },
    );
  }

  /** The prices of images of the models of a provider. */
  function modelsOf(provider: string) {
    return catalogue.entries
      .filter((entry) => entry.provider === provider)
      .map((entry) => {
        const prices = presentPrices(entry).map(({ eur }) => parseEur(eur));
        const [lowest = 0n, ...others] = prices.toSorted((one, other) => (one < other ? -1 : 1));
        return {
          id: entry.id,
          from_eur: formatEur(lowest),
          to_eur: formatEur(others.at(-1) ?? lowest),
        };
      });
  }
}
