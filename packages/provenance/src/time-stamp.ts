import { hash } from "node:crypto";
import { unescape } from "node:querystring";
import {
  boolean,
  integer,
  objectIdentifier,
  octetString,
  readElement,
  sequence,
} from "@atelier/kit/der";

/** No usable time stamp was returned. A retry may succeed. */
export class TimeStampError extends Error {
  override readonly name = "TimeStampError";
}

/**
 * Requests an authority's signed statement that some bytes existed at a time.
 *
 * @returns a `TimeStampToken` in DER (RFC 3161, section 2.4.2).
 * @throws TimeStampError
 */
export type StampTime = (bytes: Uint8Array) => Promise<Uint8Array>;

const largestReplyBytes = 65_536;
const sha256 = "2.16.840.1.101.3.4.2.1";
/** PKIStatus: granted, and granted with modifications. */
const granted = [0, 1];

/**
 * Creates a client of a time-stamp authority over HTTP (RFC 3161, section 3.4). Requests have no
 * nonce: each stamps a new signature, so an earlier response never matches.
 *
 * @param url may contain a user name and a password.
 * @param timeoutMs timeout of a response in milliseconds.
 */
function createTimeStamper(url: string, timeoutMs: number): StampTime {
  const { host, href, authorization } = readAddress(url);
  const authority = `The time-stamp authority ${host}`;

  async function ask(query: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const response = await fetch(href, {
      method: "POST",
      headers: {
        "Content-Type": "application/timestamp-query",
        Accept: "application/timestamp-reply",
        ...authorization,
      },
      body: query,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new TimeStampError(`${authority} does not respond.`, { cause });
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new TimeStampError(`${authority} answers with status ${response.status}.`);
    }
    const body = await readLimited(response).catch((cause: unknown) => {
      throw new TimeStampError(`${authority} broke off its answer.`, { cause });
    });
    if (body !== null) return body;
    throw new TimeStampError(`${authority} answers with more than a time stamp.`);
  }

  return async (bytes) => {
    const digest = hash("sha256", bytes, "buffer");
    const reply = await ask(Uint8Array.from(timeStampRequest(digest)));
    const { status, token } = readReply(reply) ?? {};
    if (status !== undefined && !granted.includes(status)) {
      throw new TimeStampError(`${authority} refuses: PKIStatus ${status}.`);
    }
    if (token === undefined) throw new TimeStampError(`${authority} answers with no time stamp.`);
    // The signed file is verified as a whole; this lets another authority be asked before that.
    if (!Buffer.from(token).includes(digest)) {
      throw new TimeStampError(`${authority} answers with the time stamp of something else.`);
    }
    return token;
  };
}

/** Time after a failure during which another authority is asked first, in milliseconds. */
const avoidedMs = 60_000;
/** Timeout of each of several authorities, in milliseconds. */
const fallbackTimeoutMs = 2_000;

/**
 * Creates a client of several time-stamp authorities, which are asked in their order until one returns
 * a time stamp. For a minute after a failure, requests start with the authority that answered instead,
 * so that they do not wait for the same timeout again.
 *
 * @param urls at least one.
 * @param timeoutMs timeout of each authority in milliseconds: 5 s for a single one, 2 s for several.
 */
export function createTimeStampers(
  urls: readonly string[],
  timeoutMs = urls.length > 1 ? fallbackTimeoutMs : 5_000,
): StampTime {
  const stampers = urls.map((url) => createTimeStamper(url, timeoutMs));
  let [first, firstUntil] = [0, 0];
  return async (bytes) => {
    if (performance.now() >= firstUntil) first = 0;
    const start = first;
    const failures: TimeStampError[] = [];
    for (let tried = 0; tried < stampers.length; tried++) {
      const index = (start + tried) % stampers.length;
      try {
        const token = await stampers[index]!(bytes);
        if (tried > 0) [first, firstUntil] = [index, performance.now() + avoidedMs];
        return token;
      } catch (error) {
        if (!(error instanceof TimeStampError)) throw error;
        failures.push(error);
      }
    }
    const [failure] = failures;
    if (failures.length === 1 && failure !== undefined) throw failure;
    throw new TimeStampError(failures.map(({ message }) => message).join(" "), {
      cause: new AggregateError(failures),
    });
  };
}

/** The body of a response; null when it is larger than any time stamp. */
async function readLimited(response: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestReplyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Converts a user name and password in the URL to Basic authentication (RFC 7617). */
function readAddress(url: string): {
  readonly host: string;
  readonly href: string;
  readonly authorization: { readonly Authorization?: string };
} {
  const address = new URL(url);
  const { host, username, password } = address;
  if (username === "" && password === "") return { host, href: address.href, authorization: {} };
  const credentials = [username, password].map(unescape).join(":");
  address.username = "";
  address.password = "";
  const Authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { host, href: address.href, authorization: { Authorization } };
}

/** `TimeStampReq` for a SHA-256: RFC 3161, section 2.4.1. */
function timeStampRequest(digest: Buffer): Buffer {
  const imprint = sequence(sequence(objectIdentifier(sha256)), octetString(digest));
  const withCertificates = boolean(true);
  return sequence(integer(Buffer.from([1])), imprint, withCertificates);
}

/** Parses a `TimeStampResp` (RFC 3161, section 2.4.2); null for anything else. */
function readReply(reply: Uint8Array): { status: number; token?: Uint8Array } | null {
  const [statusInfo, token] = readElement(reply)?.items() ?? [];
  const [status] = statusInfo?.items() ?? [];
  if (status?.content.length !== 1) return null;
  return {
    status: status.content[0] ?? 0,
    ...(token === undefined ? {} : { token: token.encoded }),
  };
}
