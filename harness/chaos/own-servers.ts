import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSerialEngine } from "@atelier/models/testing";

/** Models that the operator's servers load in turn. */
export const ownModels = ["own-first", "own-second"] as const;

export const ownServerCount = 2;

/** Servers of the operator behind one provider, which do not survive a kill. */
export interface OwnServers {
  /** Settings of API and workers: a provider with the servers, and the fake ones. */
  readonly environment: Readonly<Record<string, string>>;
  /** Kills a server with everything that it has accepted, and starts it again later. */
  kill(server: number, forMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the servers. `stop` ends them. */
export async function startOwnServers(directory: string): Promise<OwnServers> {
  const engines = await Promise.all(
    Array.from({ length: ownServerCount }, () => startSerialEngine({ imageMs: 150, loadMs: 300 })),
  );
  const fake = { kind: "custom", circuit_breaker: false };
  const providers = {
    "fake-blind": fake,
    "fake-resumable": fake,
    "own-servers": {
      kind: "automatic1111",
      base_urls: engines.map(({ url }) => ({ url })),
      models: ownModels.map((id) => ({
        id,
        name: id,
        description: "Made by servers that are killed.",
        provider_model: id,
        supports_multiturn: false,
        max_reference_images: 0,
        aspect_ratios: ["1:1"],
        default_aspect_ratio: "1:1",
        default_image_size: "0.5K",
        prices_eur: { "0.5K": "0.02" },
        retires_at: null,
        successor: null,
      })),
    },
  };
  const file = join(directory, "providers.json");
  await writeFile(file, JSON.stringify({ providers }));
  return {
    environment: { PROVIDERS_FILE: file },
    async kill(server, forMs) {
      await engines[server]?.kill();
      await delay(forMs);
      await engines[server]?.restart();
    },
    async stop() {
      await Promise.all(engines.map((engine) => engine.kill()));
    },
  };
}
