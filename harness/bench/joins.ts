import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePorts } from "@atelier/local-services";
import { startServices } from "../shared/start-services.ts";
import { median } from "../shared/statistics.ts";
import { authorization, startBenchStack } from "./bench-stack.ts";
import { makePhoto } from "./photo.ts";
import { readProcessTime } from "./process-time.ts";

/**
 * Measures what the joining of repeated requests costs `POST /v1/images/generations`: time and CPU time of an
 * API that joins, of one with `FACADE_JOIN=off`, and of the native route, in alternating rounds. Images are of
 * 64 × 64 pixels.
 *
 * npm run bench -- joins
 */
const rounds = 12;
const requestsPerRound = 40;

const services = await startServices("joins");
const { directory } = services;
try {
  const photo = join(directory, "photo.png");
  await writeFile(photo, await makePhoto(64));
  const stack = await startBenchStack({ services, photo }, { redisUrl: null, workers: 1 });
  try {
    const account = await stack.createAccount("100000");
    const [port, adminPort] = await freePorts(2);
    const separate = await stack.startApi({
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      FACADE_JOIN: "off",
    });
    const route = "/v1/images/generations";
    const ways = [
      { name: "joining", url: stack.url + route, pid: stack.api.pid },
      { name: "not joining", url: `http://127.0.0.1:${port}${route}`, pid: separate.pid },
      { name: "native", url: `${stack.url}/v1/generate/image`, pid: stack.api.pid },
    ].map((way) => ({ ...way, tookMs: [] as number[], cpuMs: [] as number[] }));
    for (let round = 0; round <= rounds; round++) {
      for (const way of ways) {
        const before = await readProcessTime(way.pid);
        const startedAt = performance.now();
        for (let sent = 0; sent < requestsPerRound; sent++) {
          const response = await fetch(way.url, {
            method: "POST",
            headers: { ...authorization(account), "Content-Type": "application/json" },
            body: JSON.stringify({ model: "fake-blind", prompt: `a lighthouse ${round} ${sent}` }),
          });
          if (!response.ok) throw new Error(await response.text());
          await response.arrayBuffer();
        }
        // The first round warms up.
        if (round === 0) continue;
        way.tookMs.push((performance.now() - startedAt) / requestsPerRound);
        way.cpuMs.push((((await readProcessTime(way.pid)) - before) * 1_000) / requestsPerRound);
      }
    }
    for (const { name, tookMs, cpuMs } of ways) {
      const [time, cpu] = [median(tookMs), median(cpuMs)].map((value) => value.toFixed(1));
      process.stdout.write(`${name}: ${time} ms a request, ${cpu} ms of CPU time of the API\n`);
    }
  } finally {
    await stack.stop();
  }
} finally {
  await services.stop();
}
