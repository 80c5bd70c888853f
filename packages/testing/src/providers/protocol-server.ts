import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { Fault, Place } from "./faults.ts";

/** A request that arrived. */
export interface ProtocolCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether it was an order that the vendor would ask money for: the server's bill. */
  paid: boolean;
}

/** What a server says; a JSON body unless it gives bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

export interface ProtocolServer {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly calls: readonly ProtocolCall[];
  /** From now on every order ends in this way; null for an image. */
  behave(fault: Fault | null): void;
  /** Resolves when the next request has arrived whole and its answer, or half of it, was sent. */
  arrival(): Promise<ProtocolCall>;
  close(): Promise<void>;
}

/** A request as a server's rules see it. */
export interface Visit {
  readonly call: ProtocolCall;
  readonly url: URL;
  readonly fault: Fault | null;
  /** Records that this order costs money. */
  readonly pay: () => void;
}

/**
 * An HTTP server on loopback that plays a vendor. `answer` holds the vendor's rules: it checks the
 * request as strictly as the vendor does, and gives the reply. Faults of the transport (hang, cut
 * short, endless, redirect, not JSON) are done here, to a reply that is a success.
 *
 * @param placeOf which part of a call a request is; null for one that faults leave alone.
 */
export async function startProtocolServer(
  answer: (visit: Visit) => Reply | Promise<Reply>,
  placeOf: (call: ProtocolCall) => Place | null = ({ method }) =>
    method === "POST" ? "order" : "question",
): Promise<ProtocolServer> {
  const calls: ProtocolCall[] = [];
  let fault: Fault | null = null;
  let arrived = Promise.withResolvers<ProtocolCall>();

  const server = createServer((request, response) => {
    void (async () => {
      const call: ProtocolCall = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: await buffer(request),
        paid: false,
      };
      calls.push(call);
      const reply = await answer({
        call,
        url: new URL(call.path, "http://localhost"),
        fault,
        pay() {
          call.paid = true;
        },
      });
      send(response, reply, fault !== null && happensAt(fault, placeOf(call)) ? fault : null);
      const { resolve } = arrived;
      arrived = Promise.withResolvers();
      resolve(call);
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    behave(next) {
      fault = next;
    },
    arrival: () => arrived.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function happensAt(fault: Fault, place: Place | null): boolean {
  return place === ("at" in fault ? fault.at : "order");
}

function send(response: ServerResponse, reply: Reply, fault: Fault | null): void {
  const { headers = {}, json, status } = reply;
  const body = reply.bytes ?? Buffer.from(JSON.stringify(json));
  const head = {
    ...(reply.bytes === undefined ? { "content-type": "application/json" } : {}),
    ...headers,
  };
  if (fault?.kind === "redirect") {
    response.writeHead(307, { location: fault.to }).end();
    return;
  }
  if (status >= 300) {
    response.writeHead(status, head).end(body);
    return;
  }
  if (fault?.kind === "hang") return;
  if (fault?.kind === "not-json") {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Hello");
    return;
  }
  if (fault?.kind === "endless") {
    response.writeHead(status, head);
    pour(response);
    return;
  }
  response.writeHead(status, { ...head, "content-length": body.byteLength });
  const half = body.subarray(0, body.byteLength / 2);
  if (fault?.kind === "hang-in-body") response.write(half);
  else if (fault?.kind === "cut-short") response.write(half, () => response.destroy());
  else response.end(body);
}

/** Writes until the other side has had enough. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

/**
 * The bytes of an image of a size, as a provider's answer holds them; with the faults of images: not
 * an image, half of one, another size.
 */
export async function makeImage(
  size: { readonly width: number; readonly height: number },
  format: "png" | "jpeg" | "webp",
  fault: Fault | null,
): Promise<Buffer> {
  if (fault?.kind === "not-an-image") return Buffer.from("This is not an image, whatever it says.");
  const { width, height } = fault?.kind === "wrong-size" ? { width: 64, height: 64 } : size;
  const image = sharp({ create: { width, height, channels: 3, background: "#3a6ea5" } });
  const bytes = await image.toFormat(format).toBuffer();
  return fault?.kind === "half-an-image" ? bytes.subarray(0, bytes.byteLength / 2) : bytes;
}
