import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeProviders } from "@atelier/testing";
import { acceptJob, type WorkerAttack } from "./attack-worker.ts";

const attackJobs = 4;

/** Within every limit of the sanitiser; drawing it takes minutes of CPU time. */
const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><g stroke="#000" stroke-width="40" stroke-dasharray="0.01 0.01" stroke-linecap="round" fill="none">${'<path d="M0 0L1000 1000M0 1000L1000 0"/>'.repeat(2_000)}</g></svg>`;

/** Creates an attack of graphics by a provider whose SVG is expensive to draw. */
export async function attackWithSvg(): Promise<WorkerAttack> {
  const answer = JSON.stringify({
    data: [{ b64_json: Buffer.from(hostileSvg).toString("base64") }],
  });
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const directory = await mkdtemp(join(tmpdir(), "atelier-svg-"));
  const file = join(directory, "providers.json");
  const fakes = fakeProviders("fake-blind", "fake-resumable") as { readonly providers: object };
  const recraft = { base_url: `http://127.0.0.1:${port}`, circuit_breaker: false };
  await writeFile(file, JSON.stringify({ providers: { ...fakes.providers, recraft } }));
  return {
    bounds: { ratio: 5, p95Ms: 15_000, peakMb: 1_536 },
    neighbourModel: "builtin-illustrator",
    environment: { PROVIDERS_FILE: file, RECRAFT_API_KEY: "a key of this attack" },
    async submit(service, attacker) {
      const jobs = new Map<string, readonly string[]>();
      for (let index = 0; index < attackJobs; index++) {
        const body = { model: "recraft-4.1-vector", prompt: "a rocket", kind: "icon" };
        // The provider was paid, and is asked once more.
        jobs.set(await acceptJob(service, attacker, "graphic", body), ["provider_error"]);
      }
      return jobs;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(directory, { recursive: true });
    },
  };
}
