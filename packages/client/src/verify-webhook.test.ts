import { createHmac, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { verifyWebhook } from "./verify-webhook.ts";

const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;
const body = '{"type":"job.completed","timestamp":"2026-11-22T10:00:00.000Z","data":{}}';
const now = () => Math.floor(Date.now() / 1_000);

function headersFor(timestamp: number, signed = body): Record<string, string> {
  const signature = createHmac("sha256", key).update(`evt_1.${timestamp}.${signed}`);
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,AAAA v1a,x v1,${signature.digest("base64")}`,
  };
}

it("returns the event when one of the signatures matches", async () => {
  expect(await verifyWebhook({ body, headers: headersFor(now()) }, secret)).toEqual(
    JSON.parse(body),
  );
  const headers = new Headers(headersFor(now()));
  expect((await verifyWebhook({ body, headers }, secret)).type).toBe("job.completed");
});

it.each([
  ["another body", { body: `${body} `, headers: headersFor(now()) }],
  ["an old timestamp", { body, headers: headersFor(now() - 301) }],
  ["no headers", { body, headers: {} }],
])("throws for %s", async (_what, request) => {
  await expect(verifyWebhook(request, secret)).rejects.toMatchObject({ code: "invalid_signature" });
});

it("throws for another secret", async () => {
  const other = `whsec_${randomBytes(32).toString("base64")}`;
  const request = { body, headers: headersFor(now()) };
  await expect(verifyWebhook(request, other)).rejects.toThrow("No signature matches");
});
