import { isDeepStrictEqual } from "node:util";

import { S3Error, type Client } from "minio";

/** A lifecycle rule in the client's format. */
interface Rule {
  readonly ID?: string;
  readonly [part: string]: unknown;
}

const ruleName = (prefix: string) => `atelier-expire-${prefix.replaceAll("/", "")}`;

/**
 * Sets one expiry rule per prefix in the lifecycle of a bucket; see
 * docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html. In a versioned
 * bucket, deleted and replaced files remain as noncurrent versions, which expire a day later if the
 * store supports rules for versions. All rules of a bucket are written at once, so a bucket with
 * rules of its operator is not changed.
 *
 * @returns whether the rules are set; false if the store rejects them, does not support them, or
 *   has other rules.
 * @throws Error if rules with these names have fewer days, which would delete live files, and
 *   cannot be changed.
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
  const before = selectOwnRules(existing, names);
  for (const wanted of [withVersions, own]) {
    if (isDeepStrictEqual(before, wanted)) return true;
    if (before.length < existing.length) continue;
    if (await writeRules(client, bucket, wanted, names)) return true;
  }
  if (before.some((rule) => daysOf(rule) < days)) {
    throw new Error(
      `The lifecycle rules ${names.join(" and ")} of the bucket have less than ${days} days and would delete live images: set them to ${days} days, or remove them.`,
    );
  }
  return false;
}

/** @returns whether the store has kept the rules: some accept and forget what they do not support. */
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
  return isDeepStrictEqual(selectOwnRules((await readRules(client, bucket)) ?? [], names), own);
}

function daysOf({ Expiration }: Rule): number {
  return Number((Expiration as { readonly Days?: unknown } | undefined)?.Days);
}

/** Returns Atelier's rules, in the order of their names. */
function selectOwnRules(rules: readonly Rule[], names: readonly (string | undefined)[]): Rule[] {
  return names
    .map((name) => rules.find(({ ID }) => ID === name))
    .filter((rule) => rule !== undefined);
}

/** Returns null if the store does not support lifecycle rules. */
async function readRules(client: Client, bucket: string): Promise<readonly Rule[] | null> {
  try {
    const answer = (await client.getBucketLifecycle(bucket)) as unknown as
      | { readonly Rule?: Rule | readonly Rule[] }
      | string
      | undefined;
    if (answer === undefined) return null;
    // Without rules the element is empty.
    const { Rule: rules = [] } = typeof answer === "string" ? {} : answer;
    return [rules].flat();
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return error.code === "NoSuchLifecycleConfiguration" ? [] : null;
  }
}
