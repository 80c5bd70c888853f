import { createHash, createHmac } from "node:crypto";

interface PresignerOptions {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** The address of a bucket as clients see it, with a trailing slash. */
  readonly bucketUrl: string;
}

/** Response parameters of a presigned URL, such as `response-content-type`. */
type ResponseParameters = Readonly<Record<string, string>>;

/**
 * Presigns a GET of an object.
 *
 * @param key a storage key, which needs no escaping in a path.
 * @param signedAt truncated to whole seconds.
 */
type Presign = (
  key: string,
  expiresInSeconds: number,
  parameters: ResponseParameters,
  signedAt: Date,
) => string;

const algorithm = "AWS4-HMAC-SHA256";

/**
 * Presigns URLs with AWS Signature Version 4, with a signed `host` header and an unsigned payload
 * ("Authenticating Requests: Using Query Parameters", Amazon S3 API Reference).
 *
 * It computes two hashes per URL: the signing key only changes daily and is cached, and the URL is
 * written in the canonical order of its parameters. This matters because a list of jobs signs
 * thousands of URLs.
 */
export function createPresigner(options: PresignerOptions): Presign {
  const { accessKey, secretKey, region, bucketUrl } = options;
  const { origin, host, pathname } = new URL(bucketUrl);
  let day = { date: "", credential: "", signingKey: Buffer.alloc(0) };

  function startDay(date: string): typeof day {
    const scope = `${date}/${region}/s3/aws4_request`;
    const signingKey = [date, region, "s3", "aws4_request"].reduce(hmac, `AWS4${secretKey}`);
    return {
      date,
      credential: escape(`${accessKey}/${scope}`),
      signingKey: Buffer.from(signingKey),
    };
  }

  return (key, expiresInSeconds, parameters, signedAt) => {
    const time = toAmzDate(signedAt);
    const date = time.slice(0, 8);
    if (day.date !== date) day = startDay(date);
    const path = `${pathname}${key}`;
    const parts = [
      `X-Amz-Algorithm=${algorithm}`,
      `X-Amz-Credential=${day.credential}`,
      `X-Amz-Date=${time}`,
      `X-Amz-Expires=${expiresInSeconds}`,
      "X-Amz-SignedHeaders=host",
      ...Object.entries(parameters).map(([name, value]) => `${escape(name)}=${escape(value)}`),
    ];
    // Upper case comes first in the canonical order, so only further parameters can be out of
    // order.
    const query = parts.length <= 6 ? parts.join("&") : parts.toSorted(byBytes).join("&");
    const request = `GET\n${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const requestHash = createHash("sha256").update(request).digest("hex");
    const text = `${algorithm}\n${time}\n${date}/${region}/s3/aws4_request\n${requestHash}`;
    const signature = createHmac("sha256", day.signingKey).update(text).digest("hex");
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** A time as Signature Version 4 writes it: `20261121T093000Z`. */
function toAmzDate(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Escapes all characters except the unreserved ones of RFC 3986. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
