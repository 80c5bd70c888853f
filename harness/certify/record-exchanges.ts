import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { redactBody, redactHeaders, redactUrl } from "./redact.ts";
import type { CheckName, Exchange } from "./report.ts";

/** A request of undici, as its diagnostics channels pass it. */
interface SentRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | null;
}

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Uint8Array[];
}

/** The requests that this process sends with undici, as all adapters do. */
export interface Recorder {
  /** From now on, exchanges belong to this check. */
  begin(check: CheckName): void;
  /** Called when the headers of a response arrive, before its body is read. */
  onResponse: (() => void) | null;
  /** Paths that were requested since the check began. */
  paths(): readonly string[];
  /** All exchanges, redacted. Ends the recording. */
  end(secrets: readonly string[]): Promise<Exchange[]>;
}

/** Starts to record. Nothing else in this process may use undici at the same time. */
export function recordExchanges(): Recorder {
  let check: CheckName = "generate";
  const requests = new Map<SentRequest, { readonly check: CheckName; received: Received | null }>();

  const listeners: Readonly<Record<string, (message: unknown) => void>> = {
    "undici:request:create"(message) {
      const { request } = message as { readonly request: SentRequest };
      requests.set(request, { check, received: null });
    },
    "undici:request:headers"(message) {
      const { request, response } = message as {
        readonly request: SentRequest;
        readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] };
      };
      const entry = requests.get(request);
      if (entry === undefined) return;
      const headers = pairUp(response.headers.map(String));
      entry.received = { status: response.statusCode, headers, chunks: [] };
      recorder.onResponse?.();
    },
    "undici:request:bodyChunkReceived"(message) {
      const { chunk, request } = message as {
        readonly request: SentRequest;
        readonly chunk: Uint8Array;
      };
      requests.get(request)?.received?.chunks.push(Buffer.from(chunk));
    },
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);

  const recorder: Recorder = {
    onResponse: null,
    begin(next) {
      check = next;
    },
    paths: () =>
      [...requests].flatMap(([{ path }, entry]) => (entry.check === check ? [path] : [])),
    async end(secrets) {
      for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
      return Promise.all(
        Array.from(requests, ([request, entry]) => describe(request, entry, secrets)),
      );
    },
  };
  return recorder;
}

async function describe(
  request: SentRequest,
  { check, received }: { readonly check: CheckName; readonly received: Received | null },
  secrets: readonly string[],
): Promise<Exchange> {
  const headers = pairUp(request.headers);
  const body = Buffer.from(request.body ?? "");
  return {
    check,
    request: {
      method: request.method,
      url: redactUrl(`${request.origin}${request.path}`, secrets),
      headers: redactHeaders(headers),
      body: await redactBody(body, headers["content-type"] ?? "", secrets),
    },
    response:
      received === null
        ? null
        : {
            status: received.status,
            headers: redactHeaders(received.headers),
            body: await redactBody(
              Buffer.concat(received.chunks),
              received.headers["content-type"] ?? "",
              secrets,
            ),
          },
  };
}

function pairUp(flat: readonly string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let index = 0; index + 1 < flat.length; index += 2) {
    pairs[(flat[index] ?? "").toLowerCase()] = flat[index + 1] ?? "";
  }
  return pairs;
}
