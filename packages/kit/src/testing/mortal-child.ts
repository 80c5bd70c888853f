import { serveRequests } from "../limited-process.ts";

/** A request of `limited-process.test.ts`. */
export interface MortalRequest {
  /** Whether the process dies instead of answering. */
  readonly dies: boolean;
}

serveRequests(({ dies }: MortalRequest): Promise<number> => {
  if (dies) process.kill(process.pid, "SIGKILL");
  return dies ? Promise.withResolvers<number>().promise : Promise.resolve(process.pid);
});
