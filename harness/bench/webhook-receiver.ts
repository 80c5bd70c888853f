import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stack, TestAccount } from "@atelier/testing";

/** A receiver of webhooks that answers every delivery at once. */
export interface WebhookReceiver {
  /** The settings with which a stack may deliver to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Adds a webhook for the finished jobs of an account. */
  add(stack: Stack, account: TestAccount): Promise<void>;
  close(): void;
}

/** Starts a receiver on a free port of this machine. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { WEBHOOK_PRIVATE_HOSTS: host },
    async add(stack, account) {
      const body = { url: `http://${host}/`, events: ["job.completed"] };
      const response = await stack.request(account, "POST", "/v1/webhooks", body);
      if (response.status !== 201) throw new Error(await response.text());
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
