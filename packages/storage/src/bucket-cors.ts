import { text } from "node:stream/consumers";
import { S3Error, type Client } from "minio";
import { exposedHeaders } from "./serve-file.ts";

const configuration = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedHeader>*</AllowedHeader>${exposedHeaders
  .map((name) => `<ExposeHeader>${name}</ExposeHeader>`)
  .join("")}<MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`;

/**
 * Lets web pages of any origin read the files of a bucket by their signed URLs; see
 * docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html. A bucket with rules of its operator
 * is not changed: it counts as readable if one of them allows GET for every origin.
 *
 * @returns whether pages can read the files, which is read back from the store; false if the store
 *   rejects, forgets or does not support the rules.
 */
export async function allowAnyOrigin(
  client: Client,
  { bucket, region }: { readonly bucket: string; readonly region: string },
): Promise<boolean> {
  const request = { bucketName: bucket, query: "cors" };

  async function readRules(): Promise<readonly string[] | null> {
    try {
      const body = await text(await client.makeRequestAsync({ ...request, method: "GET" }));
      // Stores without this operation may answer with another document.
      return body.includes("<CORSConfiguration") ? rulesIn(body) : null;
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      return error.code === "NoSuchCORSConfiguration" ? [] : null;
    }
  }

  const existing = await readRules();
  if (existing === null) return false;
  if (existing.length > 0) return existing.some(isReadable);
  try {
    const put = { ...request, method: "PUT" };
    await client.makeRequestAsyncOmit(put, configuration, [200, 204], region);
  } catch (error) {
    if (error instanceof S3Error) return false;
    throw error;
  }
  return ((await readRules()) ?? []).some(isReadable);
}

function rulesIn(document: string): string[] {
  return document
    .split("<CORSRule>")
    .slice(1)
    .map((rule) => rule.split("</CORSRule>", 1)[0] ?? "");
}

function isReadable(rule: string): boolean {
  return (
    valuesOf(rule, "AllowedOrigin").includes("*") && valuesOf(rule, "AllowedMethod").includes("GET")
  );
}

function valuesOf(rule: string, name: string): string[] {
  return rule
    .split(`<${name}>`)
    .slice(1)
    .map((value) => value.split("<", 1)[0]?.trim() ?? "");
}
