import { serveRequests } from "../limited-process.ts";

/** A request of `limited-process.test.ts`. */
export interface MortalRequest {
  /** How the request ends, or what it does for ever. */
  readonly ends:
    | "answers"
    | "is killed"
    | "crashes"
    | "throws"
    | "sleeps"
    | "spins"
    | "keeps memory"
    | "reports memory";
}

/** Left by earlier requests. */
const kept: Buffer[] = [];

serveRequests(({ ends }: MortalRequest): Promise<number> => {
  switch (ends) {
    case "answers":
      return Promise.resolve(process.pid);
    case "throws":
      return Promise.reject(new Error("the image is damaged"));
    case "is killed":
      process.kill(process.pid, "SIGKILL");
      break;
    case "crashes":
      process.abort();
    case "keeps memory":
      kept.push(Buffer.alloc(300_000_000, 1));
      return Promise.resolve(process.pid);
    case "reports memory":
      // Longer than the time between two reports.
      return new Promise((resolve) => setTimeout(() => resolve(process.pid), 200));
    case "spins":
      for (;;);
    case "sleeps":
  }
  return Promise.withResolvers<number>().promise;
});
