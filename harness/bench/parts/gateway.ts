import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePorts, startServerProcess } from "@atelier/local-services";
import { authorization, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import { createHttpClient, measureRate } from "../load.ts";
import type { Parts } from "../results.ts";

const folder = fileURLToPath(new URL("../gateway", import.meta.url));
const prompt = "a lighthouse on a cliff at dusk";

/** Warm-up of each way, so that code is compiled as in a running service. */
const warmUpSeconds = 10;

/**
 * Measures images per second through a gateway that passes requests and answers through, and through the
 * service, in front of the same engine. The client receives the image as base64 from both.
 */
export async function measureGateway(context: BenchContext): Promise<Parts["gateway"]> {
  const { photo, services, seconds } = context;
  const concurrency = availableParallelism() * 2;
  await promisify(execFile)("npm", ["ci", "--prefix", folder, "--ignore-scripts"]);
  const closers: (() => unknown)[] = [];
  try {
    const [enginePort = 0, gatewayPort = 0] = await freePorts(2);
    const engineUrl = `http://127.0.0.1:${enginePort}/v1`;
    const engine = await start("engine", enginePort, [
      join(folder, "engine.ts"),
      String(enginePort),
      photo,
    ]);
    closers.push(() => engine.stop());
    const program = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
    const gatewayProcess = await start("gateway", gatewayPort, [
      program,
      `--port=${gatewayPort}`,
      "--headless",
    ]);
    closers.push(() => gatewayProcess.stop());

    const providersFile = join(services.directory, "gateway-providers.json");
    await writeFile(providersFile, JSON.stringify({ providers: { engine: describe(engineUrl) } }));
    const stack = await startBenchStack(context, {
      redisUrl: null,
      workers: 1,
      workerEntry: "apps/worker/src/main.ts",
      environment: { PROVIDERS_FILE: providersFile, WORKER_CONCURRENCY: String(concurrency) },
    });
    closers.push(() => stack.stop());
    const account = await stack.createAccount("1000000");

    function createWay(url: string, path: string, headers: object, fields: object = {}) {
      const client = createHttpClient(url);
      closers.push(() => client.close());
      const call = {
        method: "POST",
        path,
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify({ model: "engine-model", prompt, ...fields }),
        expectedStatus: 200,
      } as const;
      return { send: () => client.send(call), perSecond: [] as number[] };
    }
    const openai = "/v1/images/generations";
    const gateway = createWay(`http://127.0.0.1:${gatewayPort}`, openai, {
      Authorization: "Bearer engine",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": engineUrl,
    });
    const allFormats = createWay(stack.url, openai, authorization(account));
    const oneFormat = createWay(stack.url, "/v1/generate/image", authorization(account), {
      output: { formats: ["png"], inline: true },
    });
    const ways = [gateway, allFormats, oneFormat];
    const load = { connections: concurrency * 2, seconds };
    for (const { send } of ways) await measureRate({ ...load, seconds: warmUpSeconds }, send);
    await inRounds(context, "gateway", async () => {
      for (const { send, perSecond } of ways) perSecond.push(await measureRate(load, send));
    });
    const manifest = join(folder, "node_modules/@portkey-ai/gateway/package.json");
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
    return {
      version,
      concurrency,
      gateway: gateway.perSecond,
      allFormats: allFormats.perSecond,
      oneFormat: oneFormat.perSecond,
    };
  } finally {
    for (const close of closers.toReversed()) await close();
  }

  function start(name: string, port: number, args: readonly string[]) {
    return startServerProcess({
      name,
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", ...args],
      directory: services.directory,
      environment: { PATH: process.env["PATH"] ?? "", ATELIER_ENV_FILE: "/dev/null" },
      isReady: () =>
        fetch(`http://127.0.0.1:${port}`).then(
          () => true,
          () => false,
        ),
      timeoutMs: 60_000,
    });
  }
}

/** Describes the engine as a provider of the service, for `PROVIDERS_FILE`. */
function describe(baseUrl: string): object {
  const model = {
    id: "engine-model",
    name: "Engine",
    description: "Answers each request with the same image.",
    provider_model: "engine-model",
    supports_multiturn: false,
    max_reference_images: 0,
    aspect_ratios: ["1:1"],
    default_aspect_ratio: "1:1",
    default_image_size: "1K",
    prices_eur: { "1K": "0.01" },
    retires_at: null,
    successor: null,
  };
  return { kind: "openai-compatible", base_url: baseUrl, models: [model] };
}
