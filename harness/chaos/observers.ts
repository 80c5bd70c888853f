import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "@atelier/database";
import type { Stack, TestAccount } from "@atelier/testing";
import { createRandom } from "../shared/random.ts";
import { deadPath } from "./backlog.ts";

/** An event as a webhook or a stream received it. */
export interface Receipt {
  readonly via: "webhook" | "stream";
  readonly accountId: string;
  readonly eventId: bigint;
  readonly type: string;
  readonly jobId: string;
  readonly status: string;
  /** In milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Receives events by webhooks and streams, as clients would. */
export interface Observers {
  readonly receipts: readonly Receipt[];
  /** Waits until every final job was reported both ways, or nothing has arrived for that time. */
  settle(sql: Sql, patienceMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** A receiver of webhooks, before there is a service. */
export interface Receiver {
  /** `host:port` */
  readonly host: string;
  listen(onRequest: (path: string, id: string, body: string) => void): void;
  stop(): Promise<void>;
}

/** Share of requests that the receiver refuses, and that it leaves without a response. */
const refusedShare = 0.1;
const silentShare = 0.02;

const types = [
  "job.updated",
  "job.image_completed",
  "job.completed",
  "job.failed",
  "job.cancelled",
];
const finalTypes = new Set(["job.completed", "job.failed", "job.cancelled"]);
const reconnectMs = 300;
const pollMs = 500;

/** Starts an unreliable receiver of webhooks. */
export async function startReceiver(seed: number): Promise<Receiver> {
  const random = createRandom(seed);
  let receive: (path: string, id: string, body: string) => void = () => undefined;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      if (request.url === deadPath) return void response.writeHead(503).end();
      const chance = random.next();
      if (chance < silentShare) return;
      if (chance < silentShare + refusedShare) return void response.writeHead(503).end();
      receive(request.url ?? "", String(request.headers["webhook-id"]), body);
      response.writeHead(200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    listen(onRequest) {
      receive = onRequest;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Creates a webhook and opens a stream for each account. */
export async function startObservers(
  stack: Stack,
  receiver: Receiver,
  accounts: readonly TestAccount[],
): Promise<Observers> {
  const receipts: Receipt[] = [];
  const stopping = new AbortController();

  receiver.listen((path, id, body) => {
    const { type, data } = JSON.parse(body) as { type: string; data: EventData };
    const accountId = path.slice(1);
    receipts.push(receiptOf("webhook", accountId, id.replace("evt_", ""), type, data));
  });
  for (const account of accounts) {
    const url = `http://${receiver.host}/${account.accountId}`;
    const response = await stack.request(account, "POST", "/v1/webhooks", { url, events: types });
    if (response.status !== 201) throw new Error(`the webhook was refused: ${response.status}`);
  }
  const streams = accounts.map((account) => follow(stack, account, receipts, stopping.signal));

  async function settle(sql: Sql, patienceMs: number): Promise<void> {
    let [received, endsAt] = [receipts.length, performance.now() + patienceMs];
    while (performance.now() < endsAt) {
      // An event that is late behind others is not lost.
      if (receipts.length > received) {
        [received, endsAt] = [receipts.length, performance.now() + patienceMs];
      }
      const final = await sql.query<{ id: string }>(
        "SELECT id FROM generation WHERE status NOT IN ('pending', 'processing')",
      );
      const reported = new Set(
        receipts.filter(({ type }) => finalTypes.has(type)).map(({ via, jobId }) => via + jobId),
      );
      if (final.every(({ id }) => reported.has(`webhook${id}`) && reported.has(`stream${id}`))) {
        return;
      }
      await delay(pollMs);
    }
  }

  return {
    receipts,
    settle,
    async stop() {
      stopping.abort();
      await Promise.all(streams);
    },
  };
}

interface EventData {
  readonly id: string;
  readonly status: string;
}

function receiptOf(
  via: Receipt["via"],
  accountId: string,
  eventId: string,
  type: string,
  { id, status }: EventData,
): Receipt {
  return {
    via,
    accountId,
    eventId: BigInt(eventId),
    type,
    jobId: id,
    status,
    receivedAt: Date.now(),
  };
}

/** Follows the stream of an account, and resumes it with Last-Event-ID whenever it breaks. */
async function follow(
  stack: Stack,
  account: TestAccount,
  receipts: Receipt[],
  stopping: AbortSignal,
): Promise<void> {
  let lastEventId = "0";
  while (!stopping.aborted) {
    try {
      const response = await fetch(`${stack.url}/v1/events`, {
        headers: { Authorization: `Bearer ${account.key}`, "Last-Event-ID": lastEventId },
        signal: stopping,
      });
      if (response.body === null || !response.ok) throw new Error("refused");
      let text = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const { id, event, data } = fieldsOf(block);
          if (id === undefined || event === undefined || data === undefined) continue;
          lastEventId = id;
          // The stream has the events of batches, too.
          if (!types.includes(event)) continue;
          const job = JSON.parse(data) as EventData;
          receipts.push(receiptOf("stream", account.accountId, id, event, job));
        }
      }
    } catch {
      // The API is down or was killed.
    }
    await delay(reconnectMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
}
