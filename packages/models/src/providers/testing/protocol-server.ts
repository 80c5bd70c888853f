import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { Fault, Place } from "./faults.ts";

/** A received request. */
export interface ProtocolCall {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the vendor would charge for this request. */
  paid: boolean;
}

/** A server's response; the body is JSON unless bytes are given. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

export interface ProtocolServer {
  readonly url: string;
  /** Every received request, in order. */
  readonly calls: readonly ProtocolCall[];
  /** From now on, every submission ends this way; null for an image. */
  behave(fault: Fault | null): void;
  /**
   * Resolves when the next request was fully received and its response, or half of it, was sent.
   */
  arrival(): Promise<ProtocolCall>;
  close(): Promise<void>;
}

/** A request as passed to a server's rules. */
export interface Visit {
  readonly call: ProtocolCall;
  readonly url: URL;
  readonly fault: Fault | null;
  /** Records that this request is charged. */
  readonly pay: () => void;
}

/**
 * Starts an HTTP server on loopback that imitates a vendor. `respond` implements the vendor's rules:
 * it validates the request as strictly as the vendor does and returns the response. Transport
 * faults (hang, cut short, endless, redirect, not JSON) are applied here to successful responses.
 *
 * @param placeOf the part of a call that a request belongs to; null for requests without faults.
 * @param onUpgrade answers requests for a WebSocket. Default: they are answered like others.
 */
export async function startProtocolServer(
  respond: (visit: Visit) => Reply | Promise<Reply>,
  placeOf: (call: ProtocolCall) => Place | null = ({ method }) =>
    method === "POST" ? "order" : "poll",
  onUpgrade?: (request: IncomingMessage, socket: Duplex) => void,
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
      const reply = await respond({
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
  if (onUpgrade !== undefined) server.on("upgrade", onUpgrade);
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

/** Writes until the client closes the connection. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

const images = new Map<string, Promise<Buffer>>();

/**
 * Image bytes of a size for a response; applies the image faults: not an image, truncated, another
 * size. Makes each image once.
 */
export async function makeImage(
  size: { readonly width: number; readonly height: number },
  format: "png" | "jpeg" | "webp",
  fault: Fault | null,
  background: "opaque" | "transparent" = "opaque",
): Promise<Buffer> {
  if (fault?.kind === "not-an-image") return Buffer.from("This is not an image, whatever it says.");
  const { width, height } = fault?.kind === "wrong-size" ? { width: 64, height: 64 } : size;
  const key = [width, height, format, background].join();
  let image = images.get(key);
  if (image === undefined) {
    const create =
      background === "transparent"
        ? ({ channels: 4, background: "#3a6ea580" } as const)
        : ({ channels: 3, background: "#3a6ea5" } as const);
    image = sharp({ create: { width, height, ...create } })
      .toFormat(format)
      .toBuffer();
    images.set(key, image);
  }
  const bytes = await image;
  return fault?.kind === "half-an-image" ? bytes.subarray(0, bytes.byteLength / 2) : bytes;
}

/** An SVG as a vendor may send it, with things that must not reach a client. */
export function makeSvg(fault: Fault | null): Buffer {
  if (fault?.kind === "not-an-image") return Buffer.from("This is not an image, whatever it says.");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" onload="alert(1)"><script>alert(1)</script><path d="M10 10H90V90H10Z" fill="#3a6ea5"/><image href="https://tracker.example/pixel.png"/></svg>`;
  return Buffer.from(fault?.kind === "half-an-image" ? svg.slice(0, svg.length / 2) : svg);
}
