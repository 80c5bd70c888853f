import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedisCluster } from "@atelier/local-services";
import { createQueues, emptyQueues } from "@atelier/queue";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient } from "./support/client.ts";
import { testEndToEnd } from "./support/end-to-end.ts";

const directory = await mkdtemp(join(tmpdir(), "atelier-cluster-"));
const cluster = await startRedisCluster({ directory });
if ("unavailable" in cluster && process.env["REQUIRE_ALL_SUITES"] === "1") {
  throw new Error(cluster.unavailable);
}

describe.skipIf("unavailable" in cluster)("queues in a Redis Cluster of three nodes", () => {
  const redisUrl = "url" in cluster ? cluster.url : "";
  const onError = () => undefined;
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ postgresUrl: inject("postgresUrl"), processes: true, redisUrl });
  });

  afterAll(async () => {
    await stack?.stop();
    if ("stop" in cluster) await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  testEndToEnd(() => stack);

  it("cancels a job that waits, and shows all lanes in Bull Board", async () => {
    const client = await createClient(stack);
    const release = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await release.promise;
      return { kind: "image" };
    });
    const accepted: string[] = [];
    for (let count = 0; count < 20; count++) accepted.push(await client.accept());
    const last = accepted.at(-1) ?? "";
    expect((await client.cancel(last)).status).toBe(200);
    expect((await client.read(last)).status).toBe("cancelled");

    const authorization = Buffer.from(`operator:${stack.adminKey}`).toString("base64");
    const board = await fetch(`${stack.adminUrl}/queues/api/queues`, {
      headers: { Authorization: `Basic ${authorization}` },
    });
    const { queues } = (await board.json()) as { queues: { name: string }[] };
    const names = queues.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["builtin", "fake-blind", "fake-resumable"]));
    release.resolve();
  });

  it("empties the queues on all nodes, and no others", async () => {
    const lanes = ["one", "two", "three", "four"];
    const open = (prefix: string) =>
      createQueues({ url: `${redisUrl}?prefix=${prefix}`, lanes, onError });
    const [own, other] = [await open("own"), await open("other")];
    const renders = lanes.map((lane) => ({ renderId: crypto.randomUUID(), lane, priority: 1 }));
    await own.dispatch(renders);
    await other.dispatch(renders);
    await emptyQueues(`${redisUrl}?prefix=own`);
    const waiting = (queues: typeof own) =>
      Promise.all(lanes.map(async (lane) => (await queues.counts(lane)).waiting));
    expect(await waiting(own)).toEqual([0, 0, 0, 0]);
    expect(await waiting(other)).toEqual([1, 1, 1, 1]);
    await Promise.all([own.close(), other.close()]);
  });

  it("report a wrong password, and a Redis that is no cluster", async () => {
    const open = (url: string) => createQueues({ url, lanes: [], onError });
    await expect(open(redisUrl.replace(":cluster-of", ":no-cluster-of"))).rejects.toThrow(
      "WRONGPASS",
    );
    const single = (inject("redisUrl") ?? "").replace("redis://", "redis+cluster://");
    await expect(open(single)).rejects.toThrow("cluster support disabled");
  });
});
