import { hash } from "node:crypto";
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

const timeoutMs = 10_000;
const sha256 = "2.16.840.1.101.3.4.2.1";
/** PKIStatus: granted, and granted with modifications. */
const granted = [0, 1];

/**
 * Asks a time-stamp authority over HTTP (RFC 3161, section 3.4). There is no nonce: what is stamped
 * is a new signature each time, so no earlier answer fits it.
 */
export function createTimeStamper(url: string): StampTime {
  const authority = `The time-stamp authority ${new URL(url).host}`;

  async function ask(query: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/timestamp-query",
        Accept: "application/timestamp-reply",
      },
      body: query,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new TimeStampError(`${authority} does not answer.`, { cause });
    });
    const body = await response.bytes().catch((cause: unknown) => {
      throw new TimeStampError(`${authority} broke off its answer.`, { cause });
    });
    if (response.ok) return body;
    throw new TimeStampError(`${authority} answers with status ${response.status}.`);
  }

  return async (bytes) => {
    const reply = await ask(Uint8Array.from(timeStampRequest(bytes)));
    const { status, token } = readReply(reply) ?? {};
    if (status === undefined) throw new TimeStampError(`${authority} answers with no time stamp.`);
    if (token !== undefined && granted.includes(status)) return token;
    throw new TimeStampError(`${authority} refuses: PKIStatus ${status}.`);
  };
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
