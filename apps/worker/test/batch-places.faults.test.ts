import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batch } from "@atelier/schemas";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeQueues, isAlive, sequential, slowMachineLocks, until } from "./describe-queues.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };

describeQueues("a batch whose workers are killed", {}, (subjectOf) => {
  let failpointFile: string;

  beforeEach(() => {
    failpointFile = join(tmpdir(), `atelier-failpoint-${randomUUID()}`);
  });

  afterEach(() => rm(failpointFile, { force: true }));

  it("goes on when each dies before it adds the next image", sequential, async () => {
    const { stack, startWorker } = subjectOf();
    const account = await stack.createAccount();
    const requests = Array.from({ length: 8 }, () => ({ operation: "image", body: image }));
    const response = await stack.request(account, "POST", "/v1/batches", { requests });
    const { id } = batch.parse(await response.json());
    for (const step of ["after-claim", "after-finish", "after-finish"]) {
      await writeFile(failpointFile, step);
      const worker = await startWorker({
        ...slowMachineLocks,
        FAILPOINT_FILE: failpointFile,
        WORKER_CONCURRENCY: "1",
      });
      await until(() => !isAlive(worker));
    }
    await startWorker(slowMachineLocks);
    const read = async () => {
      const answer = await stack.request(account, "GET", `/v1/batches/${id}`);
      return batch.parse(await answer.json());
    };
    await until(async () => (await read()).completed_at !== null);
    expect((await read()).counts).toMatchObject({ total: 8, completed: 8, failed: 0 });
  });
});
