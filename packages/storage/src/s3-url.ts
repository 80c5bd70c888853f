export interface S3Location {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly endpoint: S3Endpoint;
  readonly bucket: string;
  readonly region: string;
  /** Where clients reach the same store; the endpoint, unless the URL says otherwise. */
  readonly publicEndpoint: S3Endpoint;
}

interface S3Endpoint {
  readonly host: string;
  /** Undefined for the port that http or https has anyway. */
  readonly port: number | undefined;
  readonly tls: boolean;
}

const unreadable = "cannot be read: are all special characters of the keys percent-encoded?";

/**
 * Reads `s3://ACCESS:SECRET@host[:port]/bucket` with the parameters
 * - `tls`: `true` (default) or `false`,
 * - `region`: default `us-east-1`,
 * - `public`: the origin under which clients reach the store, such as `https://images.example.com`;
 *   default: the host itself.
 *
 * All parts are percent-encoded, as secrets with `/` or `+` have to be. Throws an Error that says
 * what is wrong and repeats no part of the URL.
 */
export function parseS3Url(text: string): S3Location {
  if (!URL.canParse(text)) {
    throw invalid(unreadable);
  }
  const url = new URL(text);
  if (url.hostname === "") throw invalid("names no host");
  for (const name of url.searchParams.keys()) {
    if (!["tls", "region", "public"].includes(name)) throw invalid(`has an unknown ${name}`);
  }
  const tls = url.searchParams.get("tls") ?? "true";
  if (tls !== "true" && tls !== "false") throw invalid("has a tls that is neither true nor false");
  const bucket = decode(url.pathname.slice(1));
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw invalid("names no bucket");
  const accessKey = decode(url.username);
  const secretKey = decode(url.password);
  if (accessKey === "" || secretKey === "") throw invalid("lacks the access key or the secret");

  const endpoint = { host: url.hostname, port: portOf(url), tls: tls === "true" };
  const publicOrigin = url.searchParams.get("public");
  return {
    accessKey,
    secretKey,
    endpoint,
    bucket,
    region: url.searchParams.get("region") ?? "us-east-1",
    publicEndpoint: publicOrigin === null ? endpoint : parseOrigin(publicOrigin),
  };
}

/** A signature covers the host and the whole path, so there is no place for a path here. */
function parseOrigin(text: string): S3Endpoint {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw invalid("has a public that is not an origin such as https://example.com");
  return { host: url.hostname, port: portOf(url), tls: url.protocol === "https:" };
}

function portOf(url: URL): number | undefined {
  return url.port === "" ? undefined : Number(url.port);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(unreadable);
  }
}

function invalid(problem: string): Error {
  return new Error(`the s3:// URL of the storage ${problem}`);
}
