import { expect, it } from "vitest";
import { createWorkerMetrics } from "./worker-metrics.ts";

it("exports the state of the storage at each scrape, and the duration of its operations", async () => {
  const metrics = createWorkerMetrics({
    certificateExpiresAt: new Date(),
    refusalCategories: [],
    lanes: ["builtin"],
  });
  let isOpen = false;
  metrics.watchStorage(() => ({ isOpen, limit: 8, running: 3, waiting: 2 }));
  metrics.storageUsed("put", true, 1_500);
  metrics.storageUsed("get", false, 10);
  const { text } = await metrics.scrape();
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      "atelier_storage_circuit_open 0",
      'atelier_storage_operations{state="limit"} 8',
      'atelier_storage_operations{state="running"} 3',
      'atelier_storage_operations{state="waiting"} 2',
      'atelier_storage_operation_duration_seconds_sum{operation="put",result="ok"} 1.5',
      'atelier_storage_operation_duration_seconds_count{operation="get",result="failed"} 1',
    ]),
  );
  isOpen = true;
  expect((await metrics.scrape()).text).toContain("atelier_storage_circuit_open 1");
});

it("exports the state of remote moderation at each scrape, and the duration of its requests", async () => {
  const metrics = createWorkerMetrics({
    certificateExpiresAt: new Date(),
    refusalCategories: [],
    lanes: ["builtin"],
  });
  expect((await metrics.scrape()).text).toContain("atelier_moderation_circuit_open 0");
  let isMisconfigured = true;
  metrics.watchModeration(() => ({ isOpen: true, isMisconfigured }));
  metrics.moderationRequested("ok", 250);
  metrics.moderationRequested("unavailable", 10_000);
  const { text } = await metrics.scrape();
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      "atelier_moderation_circuit_open 1",
      "atelier_moderation_misconfigured 1",
      'atelier_moderation_request_duration_seconds_sum{outcome="ok"} 0.25',
      'atelier_moderation_request_duration_seconds_count{outcome="unavailable"} 1',
    ]),
  );
  isMisconfigured = false;
  expect((await metrics.scrape()).text).toContain("atelier_moderation_misconfigured 0");
});

it("exports the calls and the state of servers, and forgets servers that were removed", async () => {
  const metrics = createWorkerMetrics({
    certificateExpiresAt: new Date(),
    refusalCategories: [],
    lanes: ["gpus"],
  });
  const [first, second] = ["http://10.0.0.5:1234", "http://10.0.0.6:1234"];
  let servers = [first, second];
  metrics.watchServers(() => ({ servers, down: [second] }));
  metrics.serverEntered(first);
  metrics.serverEntered(first);
  metrics.serverLeft(first);
  metrics.serverCalled("gpus", first, "image");
  const { text } = await metrics.scrape();
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      `atelier_server_calls{server="${first}"} 1`,
      `atelier_server_calls_total{lane="gpus",server="${first}",outcome="image"} 1`,
      `atelier_server_down{server="${first}"} 0`,
      `atelier_server_down{server="${second}"} 1`,
    ]),
  );
  servers = [first];
  expect((await metrics.scrape()).text).not.toContain(second);
});
