import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import type { CallProgress, Provider, ProviderOutcome } from "../../provider.ts";
import { createAutomatic1111Provider } from "../automatic1111/automatic1111.ts";
import { startAutomatic1111Server } from "../automatic1111/server.ts";
import { createComfyUiProvider } from "../comfyui/comfyui.ts";
import { readComfyUiWorkflow } from "../comfyui/comfyui-workflow.ts";
import { startComfyUiServer } from "../comfyui/server.ts";
import { workflowText } from "./comfyui-workflows.ts";

const apiKey = "atelier:correct-horse-battery";
const seventh = { progress: 0.35, step: 7, of: 20 };

function generate(
  provider: Provider,
  onProgress?: (progress: CallProgress) => void,
): Promise<ProviderOutcome> {
  return provider.generate(
    {
      model: "m",
      prompt: "a lighthouse",
      aspectRatio: "1:1",
      imageSize: "1K",
      seed: 7,
      references: [],
      previousTurn: null,
    },
    {
      signal: AbortSignal.timeout(30_000),
      key: randomUUID(),
      resumeRequestId: null,
      onRequestId: () => Promise.resolve(),
      ...(onProgress !== undefined && { onProgress }),
    },
  );
}

async function startAutomatic1111(finish: Promise<void>) {
  const server = await startAutomatic1111Server({ apiKey, finish });
  onTestFinished(() => server.close());
  const options = { apiKey, baseUrl: server.url, progressIntervalMs: 1 };
  return { server, provider: createAutomatic1111Provider(options) };
}

async function startComfyUi() {
  const server = await startComfyUiServer();
  onTestFinished(() => server.close());
  const workflow = readComfyUiWorkflow(workflowText, "workflow.json");
  return {
    server,
    provider: createComfyUiProvider({ baseUrl: server.url, workflow, pollIntervalMs: 1 }),
  };
}

it("AUTOMATIC1111 reports the progress of the call's own image", async () => {
  const { promise: finish, resolve } = Promise.withResolvers<void>();
  const { provider } = await startAutomatic1111(finish);
  const progress: CallProgress[] = [];
  const outcome = await generate(provider, (one) => {
    progress.push(one);
    resolve();
  });
  expect(outcome.kind).toBe("image");
  expect(progress[0]).toEqual(seventh);
});

it("ComfyUI reports the progress of the call's own job", async () => {
  const { server, provider } = await startComfyUi();
  server.behave({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY });
  const progress: CallProgress[] = [];
  const outcome = await generate(provider, (one) => {
    progress.push(one);
    server.behave(null);
  });
  expect(outcome.kind).toBe("image");
  expect(progress[0]).toEqual(seventh);
});

it("an engine is not asked for progress that nobody wants", async () => {
  const automatic1111 = await startAutomatic1111(Promise.resolve());
  const comfyUi = await startComfyUi();
  for (const { provider, server } of [automatic1111, comfyUi]) {
    expect((await generate(provider)).kind).toBe("image");
    expect(server.calls.filter(({ path }) => /progress|^\/ws/.test(path))).toEqual([]);
  }
});
