import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A received call, as recorded by the provider. */
export interface BilledCall {
  readonly key: string;
  /** The provider's own identifier of the model. */
  readonly model: string;
  readonly prompt: string;
  readonly references: number;
  readonly seed: number;
  readonly negativePrompt: string | null;
  readonly background: string;
  /** Options of the engine: presets of the model and those of the request. */
  readonly parameters: object;
  readonly at: number;
  /** Whether an image was made, which the provider would charge. */
  paid: boolean;
}

/** The response of the provider to one call. */
export type Behaviour =
  /** Default: the image of the server. */
  | {
      readonly kind: "image";
      readonly bytes?: Uint8Array;
      /** Cost in USD that the response states. Default: none. */
      readonly costUsd?: string;
      /** Progress that the response states before the image. Default: none. */
      readonly progress?: {
        readonly step: number;
        readonly of: number;
        readonly until: Promise<void>;
      };
      /** Units that the response states, such as tokens by kind. Default: none. */
      readonly units?: Readonly<Record<string, number>>;
    }
  | { readonly kind: "refuse"; readonly categories: readonly string[] }
  /** 429, or 503, with `Retry-After`. */
  | { readonly kind: "rate-limit" | "unavailable"; readonly retryAfterSeconds: number }
  | { readonly kind: "fail"; readonly status: number }
  /** Makes the image and cuts the connection in the middle of the response. */
  | { readonly kind: "cut-short" }
  | { readonly kind: "garbage" }
  /** Makes the image and never responds. */
  | { readonly kind: "hang" };

export interface FakeProviderServer {
  readonly url: string;
  /** Every call that arrived, in order: the provider's bill. */
  readonly calls: readonly BilledCall[];
  /** Sets the response to each call; images by default. */
  behave(decide: (call: BilledCall, count: number) => Behaviour | Promise<Behaviour>): void;
  stop(): Promise<void>;
}

/**
 * An HTTP image provider that records its own bill, so that tests can compare it with the ledger.
 * `POST /images` takes the properties of a call and returns an image, with its id in the header
 * `X-Request-Id` before the body. `GET /images/{id}` returns the image again.
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
        if (behaviour.costUsd !== undefined) response.setHeader("X-Cost", behaviour.costUsd);
        if (behaviour.units !== undefined) {
          response.setHeader("X-Units", JSON.stringify(behaviour.units));
        }
        if (behaviour.progress !== undefined) {
          const { step, of, until } = behaviour.progress;
          response.setHeader("X-Progress", JSON.stringify({ progress: step / of, step, of }));
          response.writeHead(200, { "Content-Type": "image/png" }).flushHeaders();
          await until;
          response.end(behaviour.bytes ?? image);
          return;
        }
        return sendImage(response, behaviour.bytes);
      case "refuse":
        return sendJson(response, 400, { categories: behaviour.categories });
      case "rate-limit":
      case "unavailable":
        response.setHeader("Retry-After", String(behaviour.retryAfterSeconds));
        return sendJson(response, behaviour.kind === "unavailable" ? 503 : 429, {});
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

  function sendImage(response: ServerResponse, bytes = image): void {
    response.writeHead(200, { "Content-Type": "image/png" }).end(bytes);
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
