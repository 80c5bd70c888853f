import { isDeepStrictEqual } from "node:util";

import { S3Error, type Client } from "minio";

/** A rule of a bucket's lifecycle as the client reads and writes it. */
interface Rule {
  readonly ID?: string;
  readonly [part: string]: unknown;
}

const ruleName = (prefix: string) => `atelier-expire-${prefix.replaceAll("/", "")}`;

/**
 * Sets one expiry rule for each prefix as the lifecycle of a bucket; see
 * docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html. In a versioned
 * bucket what is deleted or replaced stays as a noncurrent version: it goes a day later, where the
 * store takes rules about versions. All rules of a bucket are written at once: one that has rules of
 * its operator's own is left as it is.
 *
 * @returns whether the store has the rules; false when it refuses, has no lifecycle, or has others.
 * @throws Error when it has rules of these names for fewer days, which would remove what is still to
 *   be kept, and they cannot be changed.
 */
export async function setExpiry(
  client: Client,
  bucket: string,
  prefixes: readonly string[],
  days: number,
): Promise<boolean> {
  const own: Rule[] = prefixes.map((prefix) => ({
    ID: ruleName(prefix),
    Status: "Enabled",
    Filter: { Prefix: prefix },
    Expiration: { Days: days },
  }));
  const withVersions = own.map((rule) => ({
    ...rule,
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
  }));
  const names = own.map(({ ID }) => ID);
  const existing = await readRules(client, bucket);
  if (existing === null) return false;
  const before = ownOf(existing, names);
  for (const wanted of [withVersions, own]) {
    if (isDeepStrictEqual(before, wanted)) return true;
    if (before.length < existing.length) continue;
    if (await writeRules(client, bucket, wanted, names)) return true;
  }
  if (before.some((rule) => daysOf(rule) < days)) {
    throw new Error(
      `The lifecycle of the bucket has ${names.join(" and ")} for less than ${days} days, and cannot be changed: set them to ${days} days, or remove them.`,
    );
  }
  return false;
}

/** @returns whether the store keeps them: some take whatever they do not know, and forget it. */
async function writeRules(
  client: Client,
  bucket: string,
  own: readonly Rule[],
  names: readonly (string | undefined)[],
): Promise<boolean> {
  try {
    await client.setBucketLifecycle(bucket, { Rule: own } as never);
  } catch (error) {
    if (error instanceof S3Error) return false;
    throw error;
  }
  return isDeepStrictEqual(ownOf((await readRules(client, bucket)) ?? [], names), own);
}

function daysOf({ Expiration }: Rule): number {
  return Number((Expiration as { readonly Days?: unknown } | undefined)?.Days);
}

/** In the order of their names. */
function ownOf(rules: readonly Rule[], names: readonly (string | undefined)[]): Rule[] {
  return names
    .map((name) => rules.find(({ ID }) => ID === name))
    .filter((rule) => rule !== undefined);
}

/** Null from a store that does not know the question: it refuses, or answers another. */
async function readRules(client: Client, bucket: string): Promise<readonly Rule[] | null> {
  try {
    const answer = (await client.getBucketLifecycle(bucket)) as unknown as
      | { readonly Rule?: Rule | readonly Rule[] }
      | string
      | undefined;
    if (answer === undefined) return null;
    // Without rules, the element is empty.
    const { Rule: rules = [] } = typeof answer === "string" ? {} : answer;
    return [rules].flat();
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return error.code === "NoSuchLifecycleConfiguration" ? [] : null;
  }
}
