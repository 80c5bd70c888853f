import { hash } from "node:crypto";
import { unescape } from "node:querystring";
import { boolean, integer, objectIdentifier, octetString, readElement, sequence } from "./der.ts";

/** No time stamp was to be had, or none that can be used. Another try may get one. */
export class TimeStampError extends Error {
  override readonly name = "TimeStampError";
}

/**
 * Has an authority sign that some bytes existed, and when.
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
 * Asks a time-stamp authority over HTTP (RFC 3161, section 3.4). There is no nonce: what is stamped
 * is a new signature each time, so no earlier answer fits it.
 *
 * @param url may hold a user name and a password.
 * @param timeoutMs how long an answer may take.
 */
export function createTimeStamper(url: string, timeoutMs = 5_000): StampTime {
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
      throw new TimeStampError(`${authority} does not answer.`, { cause });
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
    const reply = await ask(Uint8Array.from(timeStampRequest(bytes)));
    const { status, token } = readReply(reply) ?? {};
    if (status !== undefined && !granted.includes(status)) {
      throw new TimeStampError(`${authority} refuses: PKIStatus ${status}.`);
    }
    if (token === undefined) throw new TimeStampError(`${authority} answers with no time stamp.`);
    return token;
  };
}

/** The body of an answer; null when it is larger than any time stamp. */
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

/** A user name and a password in the address are sent as HTTP has it (RFC 7617). */
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

/** `TimeStampReq` for the hash of some bytes: RFC 3161, section 2.4.1. */
function timeStampRequest(bytes: Uint8Array): Buffer {
  const imprint = sequence(
    sequence(objectIdentifier(sha256)),
    octetString(hash("sha256", bytes, "buffer")),
  );
  const withCertificates = boolean(true);
  return sequence(integer(Buffer.from([1])), imprint, withCertificates);
}

/** The parts of a `TimeStampResp`, RFC 3161, section 2.4.2; null when it is something else. */
function readReply(reply: Uint8Array): { status: number; token?: Uint8Array } | null {
  const [statusInfo, token] = readElement(reply)?.items() ?? [];
  const [status] = statusInfo?.items() ?? [];
  if (status?.content.length !== 1) return null;
  return { status: status.content[0] ?? 0, ...(token === undefined ? {} : { token: token.whole }) };
}
