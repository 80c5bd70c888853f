import { setTimeout as delay } from "node:timers/promises";

/** Requests that clients send while something else happens. */
export interface Load {
  /** Number of requests so far. */
  readonly sent: number;
  /** Requests that got no response or an error, as text. A test may empty it. */
  readonly failed: string[];
  /** Ends the clients after their current requests. */
  stop(): Promise<void>;
}

/** Pause of a client between two requests, in milliseconds: it leaves the processors to the test. */
const pauseMs = 200;

/** Starts clients of which each sends one request after another. */
export function startLoad(clients: readonly (() => Promise<Response>)[]): Load {
  const stopping = new AbortController();
  const failed: string[] = [];
  let sent = 0;

  async function repeat(send: () => Promise<Response>): Promise<void> {
    while (!stopping.signal.aborted) {
      sent++;
      try {
        const response = await send();
        const text = await response.text();
        if (!response.ok) failed.push(`${response.status} ${text.slice(0, 200)}`);
      } catch (error) {
        failed.push(String(error));
      }
      await delay(pauseMs);
    }
  }

  const running = Promise.all(clients.map(repeat));
  return {
    get sent() {
      return sent;
    },
    failed,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
