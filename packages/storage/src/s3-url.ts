interface S3Location {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly endpoint: S3Endpoint;
  readonly bucket: string;
  readonly region: string;
  /** The address at which clients reach the store. Default: the endpoint. */
  readonly publicEndpoint: S3Endpoint;
}

interface S3Endpoint {
  readonly host: string;
  /** Undefined for the default port of http or https. */
  readonly port: number | undefined;
  readonly tls: boolean;
}

const unreadable = "is malformed: special characters of the keys must be percent-encoded";

/**
 * Parses `s3://ACCESS:SECRET@host[:port]/bucket` with the parameters
 * - `tls`: `true` (default) or `false`,
 * - `region`: default `us-east-1`,
 * - `public`: the origin at which clients reach the store, such as `https://images.example.com`;
 *   default: the host itself.
 *
 * All parts are percent-encoded; secrets with `/` or `+` must be.
 *
 * @throws Error that describes the problem without repeating any part of the URL.
 */
export function parseS3Url(text: string): S3Location {
  if (!URL.canParse(text)) {
    throw invalid(unreadable);
  }
  const url = new URL(text);
  if (url.hostname === "") throw invalid("has no host");
  for (const name of url.searchParams.keys()) {
    if (!["tls", "region", "public"].includes(name))
      throw invalid(`has an unknown parameter ${name}`);
  }
  const tls = url.searchParams.get("tls") ?? "true";
  if (tls !== "true" && tls !== "false") throw invalid("must have tls=true or tls=false");
  const bucket = decode(url.pathname.slice(1));
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw invalid("has no valid bucket name");
  const accessKey = decode(url.username);
  const secretKey = decode(url.password);
  if (accessKey === "" || secretKey === "") throw invalid("has no access key or secret key");

  const endpoint = { host: hostOf(url), port: portOf(url), tls: tls === "true" };
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

/** Parses an origin. A path is not allowed, because signatures cover the host and the whole path. */
function parseOrigin(text: string): S3Endpoint {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw invalid("must have an origin such as https://example.com as public");
  return { host: hostOf(url), port: portOf(url), tls: url.protocol === "https:" };
}

/** The host for a client library: an IPv6 address without brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
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
