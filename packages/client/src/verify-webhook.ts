import { InvalidRequestError } from "./errors.ts";
import type { Bytes, EventType, ListedJob } from "./types.ts";

/** The body of a delivery to a webhook. */
export interface WebhookEvent {
  readonly type: EventType | "webhook.test";
  /** Time of the event. */
  readonly timestamp: string;
  /**
   * The job as it was when the event was sent, without text of its request: titles of scenes, names and
   * messages of errors are missing. Other events have other data.
   */
  readonly data: Omit<ListedJob, "prompt">;
}

/** Headers of a request: of `fetch`, or of Node's `IncomingMessage`. */
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies the signature of a delivery (Standard Webhooks 1.0) and parses its body.
 *
 * @param request.body the body as it was received, not parsed and serialised again.
 * @param secret the `whsec_…` of the webhook.
 * @param options.toleranceSeconds largest difference of the signature's time from now. Default: 300. A
 *   larger one accepts repeated deliveries of an attacker for longer.
 * @throws InvalidRequestError `invalid_signature`: respond with 400 and ignore the request.
 *
 * @example
 * ```ts
 * const { type, data } = await verifyWebhook({ body, headers: request.headers }, secret);
 * if (type === "job.completed") console.log(data.id);
 * ```
 */
export async function verifyWebhook(
  request: { readonly body: string; readonly headers: HeaderSource },
  secret: string,
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const { body, headers } = request;
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) throw invalid("The timestamp is too old or missing.");

  const keyBytes = fromBase64(secret.replace(/^whsec_/, ""));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", keyBytes, algorithm, false, ["verify"]);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const entry of readHeader(headers, "webhook-signature").split(" ")) {
    const [version, signature = ""] = entry.split(",");
    if (version !== "v1" || !/^[A-Za-z0-9+/]+=*$/.test(signature)) continue;
    if (await crypto.subtle.verify("HMAC", key, fromBase64(signature), content)) {
      return JSON.parse(body) as WebhookEvent;
    }
  }
  throw invalid("No signature matches.");
}

function readHeader(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === "string" ? value : "";
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function invalid(reason: string): InvalidRequestError {
  return new InvalidRequestError(
    "invalid_signature",
    `The request is not a valid delivery. ${reason} Check the secret and pass the unchanged body.`,
  );
}
