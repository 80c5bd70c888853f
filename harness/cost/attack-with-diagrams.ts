import { acceptJob, type WorkerAttack } from "./attack-worker.ts";
import { slowDiagram } from "./hostile-diagrams.ts";

const attackJobs = 24;

/** Creates an attack of diagrams whose layout takes too long, while the neighbour makes built-in images. */
export function attackWithDiagrams(): WorkerAttack {
  return {
    bounds: { ratio: 3, p95Ms: 15_000, peakMb: 1_536 },
    neighbourModel: "builtin-illustrator",
    environment: {},
    async submit(service, attacker) {
      const jobs = new Map<string, readonly string[]>();
      for (let index = 0; index < attackJobs; index++) {
        const body = { model: "builtin-diagram", language: "dot", source: slowDiagram() };
        jobs.set(await acceptJob(service, attacker, "diagram", body), ["diagram_invalid"]);
      }
      return jobs;
    },
    close: () => Promise.resolve(),
  };
}
