import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A call that arrived, as the provider's own books show it. */
export interface BilledCall {
  readonly key: string;
  /** The provider's own identifier of the model. */
  readonly model: string;
  readonly prompt: string;
  readonly references: number;
  readonly at: number;
  /** Whether an image was made, which is what the provider would ask money for. */
  paid: boolean;
}

/** How the provider answers one call. */
export type Behaviour =
  | { readonly kind: "image" }
  | { readonly kind: "refuse"; readonly categories: readonly string[] }
  /** 429, or 503, with `Retry-After`. */
  | { readonly kind: "rate-limit" | "away"; readonly retryAfterSeconds: number }
  | { readonly kind: "fail"; readonly status: number }
  /** Makes the image, and cuts the connection in the middle of the answer. */
  | { readonly kind: "cut-short" }
  | { readonly kind: "garbage" }
  /** Makes the image, and never answers. */
  | { readonly kind: "hang" };

export interface FakeProviderServer {
  readonly url: string;
  /** Every call that arrived, in order: the provider's bill. */
  readonly calls: readonly BilledCall[];
  /** Decides how each call is answered; images by default. */
  behave(decide: (call: BilledCall, count: number) => Behaviour | Promise<Behaviour>): void;
  stop(): Promise<void>;
}

/**
 * A provider of images behind HTTP that keeps its own bill, so that a test can compare it with the
 * ledger. `POST /images` takes `{key, model, prompt, references}` and answers with an image; its id comes in
 * the header `X-Request-Id` before the body. `GET /images/{id}` gives a made image again.
 */
export async function startFakeProvider(image: Uint8Array): Promise<FakeProviderServer> {
  const calls: BilledCall[] = [];
  let decide: (call: BilledCall, count: number) => Behaviour | Promise<Behaviour> = () => ({
    kind: "image",
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") return sendImage(response);
    const body = (await json(request)) as Omit<BilledCall, "at" | "paid">;
    const call: BilledCall = { ...body, at: performance.now(), paid: false };
    calls.push(call);
    response.setHeader("X-Request-Id", `call-${calls.length}`);
    const behaviour = await decide(call, calls.length);
    switch (behaviour.kind) {
      case "image":
        call.paid = true;
        return sendImage(response);
      case "refuse":
        return sendJson(response, 400, { categories: behaviour.categories });
      case "rate-limit":
      case "away":
        response.setHeader("Retry-After", String(behaviour.retryAfterSeconds));
        return sendJson(response, behaviour.kind === "away" ? 503 : 429, {});
      case "fail":
        return sendJson(response, behaviour.status, {});
      case "cut-short":
        call.paid = true;
        response.writeHead(200, { "Content-Length": image.byteLength });
        response.write(image.subarray(0, image.byteLength / 2));
        setImmediate(() => response.destroy());
        return;
      case "garbage":
        call.paid = true;
        response.end("this is not an image");
        return;
      case "hang":
        call.paid = true;
        response.flushHeaders();
    }
  }

  function sendImage(response: ServerResponse): void {
    response.writeHead(200, { "Content-Type": "image/png" }).end(image);
  }

  function sendJson(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    behave(next) {
      decide = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
