import type { Meter } from "./meter.ts";

/** Metrics of the servers behind providers with `base_urls`, by the URL of each. */
export interface ServerMetrics {
  /** Records that a call of this worker has a place at a server and begins. */
  serverEntered(server: string): void;
  /** Records that a call of this worker has given its place back. */
  serverLeft(server: string): void;
  serverCalled(lane: string, server: string, outcome: string): void;
  /** Exports the state of the servers from now on. */
  watchServers(read: () => ServersState): void;
  /** Updates the gauges before a scrape. */
  readonly readServers: () => void;
}

/** URLs of the servers of a worker. */
interface ServersState {
  readonly servers: readonly string[];
  /** Those whose circuits are open. */
  readonly down: readonly string[];
}

export function createServerMetrics(meter: Meter): ServerMetrics {
  const calls = meter.counter(
    "atelier_server_calls_total",
    "Calls to a server of a provider with several, by lane, server and what came of them.",
    { lane: [], server: [], outcome: [] },
  );
  const running = meter.gauge(
    "atelier_server_calls",
    "Calls of this worker that a server has at the moment.",
    { server: [] },
  );
  const down = meter.gauge(
    "atelier_server_down",
    "1 while a server gets no calls, because it is gone or failed too often.",
    { server: [] },
  );
  let readState: () => ServersState = () => ({ servers: [], down: [] });
  return {
    serverEntered: (server) => running.inc({ server }),
    serverLeft: (server) => running.dec({ server }),
    serverCalled: (lane, server, outcome) => calls.inc({ lane, server, outcome }),
    watchServers(read) {
      readState = read;
    },
    readServers() {
      const state = readState();
      // Servers with a DNS name come and go.
      down.reset();
      for (const server of state.servers) {
        down.set({ server }, Number(state.down.includes(server)));
      }
    },
  };
}
