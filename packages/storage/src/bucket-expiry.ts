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
 * docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html. All rules of a
 * bucket are written at once: one that has rules of its operator's own is left as it is.
 *
 * @returns whether the store has the rules; false when it refuses, has no lifecycle, or has others.
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
  const names = own.map(({ ID }) => ID);
  try {
    const existing = await readRules(client, bucket);
    if (existing === null) return false;
    if (isDeepStrictEqual(ownOf(existing, names), own)) return true;
    if (ownOf(existing, names).length < existing.length) return false;
    await client.setBucketLifecycle(bucket, { Rule: own } as never);
    // Some stores take whatever they do not know, and forget it.
    return isDeepStrictEqual(ownOf((await readRules(client, bucket)) ?? [], names), own);
  } catch (error) {
    if (error instanceof S3Error) return false;
    throw error;
  }
}

/** In the order of their names. */
function ownOf(rules: readonly Rule[], names: readonly (string | undefined)[]): Rule[] {
  return names
    .map((name) => rules.find(({ ID }) => ID === name))
    .filter((rule) => rule !== undefined);
}

/** Null from a store that does not know the question, and answers another. */
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
    if (error instanceof S3Error && error.code === "NoSuchLifecycleConfiguration") return [];
    throw error;
  }
}
