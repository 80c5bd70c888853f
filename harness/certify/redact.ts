import sharp from "sharp";

/** Headers that say nothing about the account. */
const keptHeaders = [
  "content-type",
  "retry-after",
  "x-fal-retryable",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
];

const longestText = 300;
const removedKey = "<key>";

/** Only headers that are known to be harmless. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
}

/** A URL without the values of its query, which may be signatures. */
export function redactUrl(text: string, secrets: readonly string[]): string {
  const url = new URL(text);
  for (const name of url.searchParams.keys()) url.searchParams.set(name, "…");
  return hide(url.href, secrets);
}

/**
 * A body without keys, images, signed URLs and long texts. JSON stays JSON, so that it can be replayed.
 *
 * @param secrets texts that must not appear.
 */
export async function redactBody(
  body: Buffer,
  contentType: string,
  secrets: readonly string[],
): Promise<unknown> {
  if (body.byteLength === 0) return null;
  if (contentType.startsWith("multipart/")) return `<form of ${body.byteLength} bytes>`;
  try {
    return await redactValue(JSON.parse(body.toString("utf8")), secrets);
  } catch {
    return await describeBytes(body);
  }
}

async function redactValue(value: unknown, secrets: readonly string[]): Promise<unknown> {
  if (typeof value === "string") return redactText(value, secrets);
  if (Array.isArray(value)) return Promise.all(value.map((item) => redactValue(item, secrets)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, item]) => [name, await redactValue(item, secrets)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function redactText(text: string, secrets: readonly string[]): Promise<string> {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return redactUrl(text, secrets);
  if (text.length <= longestText) return hide(text, secrets);
  const base64 = text.replace(/^data:[\w/+.-]+;base64,/, "");
  if (/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64))
    return describeBytes(Buffer.from(base64, "base64"));
  return `<text of ${text.length} characters>`;
}

async function describeBytes(bytes: Buffer): Promise<string> {
  try {
    const { format, height, width } = await sharp(bytes).metadata();
    return `<${format} image ${width}x${height}>`;
  } catch {
    return `<${bytes.byteLength} bytes>`;
  }
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, removedKey), text);
}
