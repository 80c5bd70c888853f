import type { Fault } from "../../testing/faults.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolCall,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../../testing/protocol-server.ts";

/** An image that a request asks for. */
export interface WantedImage {
  readonly width: number;
  readonly height: number;
  readonly background?: "opaque" | "transparent";
}

/** The rules of a vendor that answers at once, as its documentation states them. */
export interface VendorRules {
  /** The header that holds the key, and its value for a key. */
  readonly header: string;
  readonly valueOf: (apiKey: string) => string;
  /** Reads a request as strictly as the vendor does; a text is what is wrong with it. */
  readonly orders: Readonly<
    Record<string, (call: ProtocolCall) => WantedImage | string | Promise<WantedImage | string>>
  >;
  /** The answer with an image, which it may link to with `url`. */
  readonly answer: (image: Buffer, url: string, seed: number) => Reply;
  readonly error: (status: number, message: string, code: string) => Reply;
  /** Answers that refuse, by shape. */
  readonly refusals: Readonly<Record<string, Reply>>;
  readonly outOfQuota?: Reply;
}

/** A server on loopback that keeps the rules of a vendor. */
export function startDescribedServer(
  rules: VendorRules,
  apiKey: string | null,
): Promise<ProtocolServer> {
  const files = new Map<string, Buffer>();
  return startProtocolServer(
    (visit) => respond(visit, rules, apiKey, files),
    ({ method }) => (method === "POST" ? "order" : null),
  );
}

async function respond(
  visit: Visit,
  rules: VendorRules,
  apiKey: string | null,
  files: Map<string, Buffer>,
): Promise<Reply> {
  const { call, fault, url } = visit;
  const sent = call.headers[rules.header];
  const file = files.get(url.pathname);
  if (call.method === "GET" && file !== undefined) {
    // A file's host must not learn the key.
    return sent === undefined ? { status: 200, bytes: file } : { status: 400, json: {} };
  }
  if (sent !== (apiKey === null ? undefined : rules.valueOf(apiKey))) {
    return rules.error(401, `Invalid key ${apiKey ?? ""}`, "invalid_api_key");
  }
  const read = call.method === "POST" ? rules.orders[call.path] : undefined;
  if (read === undefined) return rules.error(404, `No path ${call.path}`, "not_found");
  const wanted = await read(call);
  if (typeof wanted === "string") return rules.error(400, wanted, "invalid_parameter");
  const failed = failureOf(fault, rules);
  if (failed !== null) return failed;
  visit.pay();
  const image = await makeImage(wanted, "png", fault, wanted.background);
  const path = `/files/${crypto.randomUUID()}.png`;
  files.set(path, image);
  return rules.answer(image, `http://${call.headers.host}${path}`, 1_234_567);
}

function failureOf(fault: Fault | null, rules: VendorRules): Reply | null {
  if (fault?.kind === "refusal") return rules.refusals[fault.shape] ?? null;
  if (fault?.kind === "rate-limit") {
    const headers = fault.retryAfter === null ? {} : { "retry-after": fault.retryAfter };
    return { ...rules.error(429, "Too many requests", "rate_limit"), headers };
  }
  if (fault?.kind === "out-of-quota") {
    return rules.outOfQuota ?? rules.error(402, "Insufficient credits", "insufficient_credits");
  }
  if (fault?.kind === "invalid-request") return rules.error(400, "The prompt is odd", "odd");
  if (fault?.kind === "server-error" && fault.at === "order") {
    return rules.error(fault.status, "Internal error", "internal");
  }
  return null;
}
