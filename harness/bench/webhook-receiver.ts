import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stack, TestAccount } from "@atelier/testing";

/** A delivery that arrived. */
export interface Arrival {
  readonly path: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
}

/** A receiver of webhooks that answers every delivery at once. */
export interface WebhookReceiver {
  /** The settings with which a stack may deliver to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Adds a webhook for the completed jobs of an account, and returns its id. */
  add(stack: Stack, account: Pick<TestAccount, "key">, path?: string): Promise<string>;
  close(): void;
}

/** Starts a receiver on a free port of this machine. */
export async function startWebhookReceiver(
  onArrival: (arrival: Arrival) => void = () => undefined,
): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      onArrival({ path: request.url ?? "", at: Date.now(), body });
      response.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { WEBHOOK_PRIVATE_HOSTS: host },
    async add(stack, account, path = "/") {
      const body = { url: `http://${host}${path}`, events: ["job.completed"] };
      const response = await stack.request(account, "POST", "/v1/webhooks", body);
      if (response.status !== 201) throw new Error(await response.text());
      return ((await response.json()) as { id: string }).id;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
