import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dossierKey } from "@atelier/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RenderStep } from "../src/render/failpoint.ts";
import { describeQueues, isAlive, sequential, until } from "./describe-queues.ts";

/** Steps at which workers die, one after the other, before one survives. */
const cases: readonly {
  readonly name: string;
  readonly deaths: readonly RenderStep[];
  /** Attempts whose dossiers are stored after recovery; the last one is registered. */
  readonly left: readonly number[];
}[] = [
  { name: "before the finish", deaths: ["before-finish"], left: [2] },
  { name: "before the finish, twice", deaths: ["before-finish", "before-finish"], left: [3] },
  {
    name: "between the finish and the deletion of earlier dossiers",
    deaths: ["before-finish", "after-finish"],
    left: [1, 2],
  },
];

describeQueues(
  "the dossier of a render whose worker is killed",
  { environment: { WORKER_LOCK_SECONDS: "1.5", SWEEP_INTERVAL_SECONDS: "0.3" } },
  (subjectOf) => {
    let directory: string;
    const failpointFile = () => join(directory, "failpoint");

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
    });

    afterAll(() => rm(directory, { recursive: true, force: true }));

    it.each(cases)(
      "is the only one in the storage after a death $name",
      sequential,
      async (one) => {
        const { stack, accept, untilFinal, untilIdle, filesUnder, startWorker } = subjectOf();
        const accepted = await accept("fake-blind");
        const { renderId } = accepted;
        for (const step of one.deaths) {
          await writeFile(failpointFile(), step);
          const worker = await startWorker({ FAILPOINT_FILE: failpointFile() });
          await until(() => !isAlive(worker));
        }
        await writeFile(failpointFile(), "no step");
        await startWorker({ FAILPOINT_FILE: failpointFile() });
        expect((await untilFinal(accepted)).status).toBe("completed");
        await untilIdle("fake-blind");

        const prefix = `dossiers/${renderId}/`;
        const keys = (attempts: readonly number[]) =>
          attempts.map((attempt) => dossierKey({ renderId, attempt }));
        await until(async () => (await filesUnder(prefix)).length <= one.left.length);
        expect(await filesUnder(prefix)).toEqual(keys(one.left));
        const registered = await stack.database.query<{ attempt: number }>(
          "SELECT dossier_attempt AS attempt FROM mark WHERE render_id = $1",
          [renderId],
        );
        expect(registered).toEqual([{ attempt: one.left.at(-1) }]);

        await stack.database.query("UPDATE render SET finished_at = now() - interval '61 min'");
        // A worker that was killed during a sweep holds the lease of the sweep for two minutes.
        await stack.database.query("UPDATE recurring_task SET next_turn_at = now()");
        const passed = "SELECT FROM sweep_progress WHERE after >= $1";
        await until(async () => (await stack.database.query(passed, [renderId])).length > 0);
        expect(await filesUnder(prefix)).toEqual(keys(one.left.slice(-1)));
      },
    );
  },
);
