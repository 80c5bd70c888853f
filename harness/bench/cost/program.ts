import { createDatabase } from "@atelier/database";
import { createQueues } from "@atelier/queue";
import { createFloor } from "./floor.ts";
import { createImages } from "./images.ts";

/**
 * Runs loads in a process of its own, so that a checkout of another commit can be measured in the same
 * rounds. It receives loads over the channel to its parent and returns what was done.
 */
export interface Load {
  /**
   * `floor` is the work that no such service can avoid: see `createFloor`. `single accepts` are not grouped
   * by account.
   */
  readonly kind: "images" | "accepts" | "single accepts" | "floor";
  readonly clients: number;
  /** The clients share them evenly. */
  readonly accounts: number;
  /** Ends after this time, in seconds, or after this number of operations. */
  readonly until: { readonly seconds: number } | { readonly operations: number };
}

export interface LoadResult {
  readonly operations: number;
  readonly seconds: number;
}

const url = process.env["COST_DATABASE_URL"] ?? "";
const queueUrl = process.env["COST_QUEUE_URL"] ?? url;

/** Connections of the API and of the workers together, and renders that are processed at the same time. */
const poolSize = 32;
const concurrency = 32;

const onError = (error: unknown) => process.stderr.write(`${String(error)}\n`);
const database = createDatabase({ url, poolSize, applicationName: "cost" });
const lanes = ["images", "accepts", "floor"];
const queues = await createQueues({ url: queueUrl, lanes, onError });
const shared = { database, queues, queueUrl, concurrency, onError };
const images = await createImages(shared, { served: "images", unserved: "accepts" });
const floor = await createFloor(shared, "floor");

async function run({ kind, clients, accounts, until }: Load): Promise<LoadResult> {
  const chosen = await images.openAccounts(accounts);
  const startedAt = performance.now();
  const endsAt = "seconds" in until ? startedAt + until.seconds * 1_000 : Infinity;
  const most = "operations" in until ? until.operations : Infinity;
  let started = 0;
  let operations = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const account = chosen[client % chosen.length] ?? "";
      while (performance.now() < endsAt && started < most) {
        started++;
        if (kind === "floor") await floor.run();
        else if (kind === "images") await images.make(account);
        else if (kind === "single accepts") await images.acceptSingly(account);
        else await images.accept(account);
        operations++;
      }
    }),
  );
  return { operations, seconds: (performance.now() - startedAt) / 1_000 };
}

process.on("message", (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      onError(error);
      process.exit(1);
    },
  );
});
async function close(): Promise<void> {
  await Promise.all([images.close(), floor.close()]);
  await Promise.all([queues.close(), database.close()]);
}

process.once("disconnect", () => {
  close()
    .catch(onError)
    .finally(() => process.exit());
});
process.send?.("ready");
