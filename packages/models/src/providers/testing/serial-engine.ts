import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";

interface EngineOptions {
  /** Duration of one image, in milliseconds. */
  readonly imageMs: number;
  /** Duration of loading another model, in milliseconds. Default 0. */
  readonly loadMs?: number;
}

/**
 * An engine with AUTOMATIC1111's API that makes one image at a time, in the order of the requests, and
 * loads a model when it differs from the one of the image before.
 */
export interface SerialEngine {
  readonly url: string;
  /** Names of the models that it has loaded, in order. */
  readonly loads: readonly string[];
  /** Prompts of the images that it has made, in order. */
  readonly made: readonly string[];
  /** The most requests that it had at the same time. */
  readonly longestQueue: number;
  /** From now on, images are answered with this status; null for images. */
  fail(status: number | null): void;
  /** From now on, a request with this prompt ends it like `kill`; null for none. */
  crashOn(prompt: string | null): void;
  /** Ends like a killed process: connections break, and what it had accepted is lost. */
  kill(): Promise<void>;
  /** Starts it again at the same URL, without a model. */
  restart(): Promise<void>;
}

interface Order {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  readonly override_settings: { readonly sd_model_checkpoint: string };
}

/** Starts an engine on loopback. */
export async function startSerialEngine(options: EngineOptions): Promise<SerialEngine> {
  const { imageMs, loadMs = 0 } = options;
  const loads: string[] = [];
  const made: string[] = [];
  let longestQueue = 0;
  let queued = 0;
  let failure: number | null = null;
  let deadlyPrompt: string | null = null;
  let model: string | null = null;
  let killed = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();
  let server: Server;
  let port = 0;

  async function make(order: Order, signal: AbortSignal): Promise<Buffer> {
    const wanted = order.override_settings.sd_model_checkpoint;
    if (wanted !== model) {
      loads.push(wanted);
      await delay(loadMs, undefined, { signal });
      model = wanted;
    }
    await delay(imageMs, undefined, { signal });
    const { height, width } = order;
    const image = sharp({ create: { width, height, channels: 3, background: "#3a6ea5" } });
    const bytes = await image.png().toBuffer();
    signal.throwIfAborted();
    made.push(order.prompt);
    return bytes;
  }

  async function answer(order: Order, response: ServerResponse, signal: AbortSignal) {
    if (order.prompt === deadlyPrompt) return kill();
    if (failure !== null) return send(response, failure, { error: "RuntimeError", errors: "" });
    queued += 1;
    longestQueue = Math.max(longestQueue, queued);
    const image = turn.then(() => make(order, signal));
    turn = image.catch(() => undefined);
    const bytes = await image.finally(() => (queued -= 1));
    return send(response, 200, {
      images: [bytes.toString("base64")],
      parameters: order,
      info: JSON.stringify({ seed: order.seed, all_seeds: [order.seed] }),
    });
  }

  async function listen(): Promise<void> {
    const { signal } = (killed = new AbortController());
    server = createServer((request, response) => {
      if (request.url?.startsWith("/sdapi/v1/progress") === true) {
        send(response, 200, { progress: 0, state: { job_count: queued === 0 ? 0 : 1 } });
        return;
      }
      if (request.url?.startsWith("/sdapi/v1/txt2img") !== true) {
        request.resume();
        send(response, 404, { detail: "Not Found" });
        return;
      }
      json(request)
        .then((order) => answer(order as Order, response, signal))
        .catch(() => response.destroy());
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }

  async function kill(): Promise<void> {
    killed.abort();
    model = null;
    server.closeAllConnections();
    server.close();
    if (server.listening) await once(server, "close");
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    loads,
    made,
    get longestQueue() {
      return longestQueue;
    },
    fail(status) {
      failure = status;
    },
    crashOn(prompt) {
      deadlyPrompt = prompt;
    },
    kill,
    restart: listen,
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
