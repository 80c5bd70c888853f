import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { verification, type Verification } from "@atelier/schemas";
import { startStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, readError } from "./support/client.ts";

let stack: Stack;
/** Another API with a low limit. */
let strictUrl: string;
let png: Buffer;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WATERMARK_SECRET: "the watermark secret of these tests, long enough",
      VERIFICATIONS_PER_MINUTE: "1000",
      TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  strictUrl = (
    await startSecondApi(stack, { VERIFICATIONS_PER_MINUTE: "2", TRUSTED_PROXIES: "127.0.0.1" })
  ).url;
  const client = await createClient(stack);
  const generated = await client.generate({
    model: "builtin-illustrator",
    prompt: "a lighthouse in a storm",
  });
  const { image_url } = (await generated.json()) as { image_url: string };
  png = Buffer.from(await (await fetch(image_url)).arrayBuffer());
}, 60_000);

afterAll(() => stack.stop());

interface Sent {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(
  body: string | FormData | Uint8Array<ArrayBuffer>,
  { type, url = stack.url, headers = {} }: Sent = {},
) {
  return fetch(`${url}/verify`, {
    method: "POST",
    body,
    headers: { ...(type === undefined ? {} : { "Content-Type": type }), ...headers },
  });
}

const sendHash = (sha256: string, sent: Sent = {}) =>
  send(JSON.stringify({ sha256 }), { ...sent, type: "application/json" });

async function verify(bytes: Uint8Array, type = "image/png"): Promise<Verification> {
  const response = await send(new Uint8Array(bytes), { type });
  expect(response.status).toBe(200);
  return verification.parse(await response.json());
}

const resultsOf = ({ techniques }: Verification) =>
  Object.fromEntries(techniques.map(({ technique, result }) => [technique, result]));

const record = {
  model: "builtin-illustrator",
  created_at: expect.any(String),
  formats: ["png", "jpeg", "webp"],
};

describe("POST /verify", { timeout: 60_000 }, () => {
  it("recognises a delivered file by every technique, and names its signer", async () => {
    const found = await verify(png);
    expect(found).toMatchObject({
      verdict: "made_here",
      based_on: ["c2pa", "hash", "watermark", "fingerprint"],
      synthetic: "rules",
      signer: { organization: "Atelier", trusted: true },
      image: record,
    });
    expect(found.techniques.map(({ technique }) => technique)).toEqual([
      "c2pa",
      "hash",
      "watermark",
      "fingerprint",
      "xmp",
    ]);
  });

  it("trusts the root of a new signing certificate without a restart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "atelier-anchors-"));
    const file = join(directory, "anchors.pem");
    const { rootPem: earlierRoot } = await createDevelopmentCertificates();
    await writeFile(file, earlierRoot);
    const api = await stack.startApi({
      SIGNING_TRUST_ANCHORS: "",
      SIGNING_TRUST_ANCHORS_FILE: file,
      PORT: "0",
      ADMIN_PORT: "0",
    });
    const isTrusted = async () => {
      const url = `http://127.0.0.1:${api.ports.main}`;
      const response = await send(new Uint8Array(png), { type: "image/png", url });
      return verification.parse(await response.json()).signer?.trusted;
    };
    expect(await isTrusted()).toBe(false);
    // In place, as in a mounted secret.
    await writeFile(file, `${stack.trustAnchorsPem}\n${earlierRoot}`);
    expect(await isTrusted()).toBe(true);
    await rm(file);
    expect(await isTrusted()).toBe(true);
    await api.stop();
    await rm(directory, { recursive: true });
  });

  it("leads from a smaller crop in JPEG quality 60 to the record of the image", async () => {
    const { width, height } = await sharp(png).metadata();
    const area = { width: Math.round(width * 0.98), height: Math.round(height * 0.98) };
    const copy = await sharp(png)
      .extract({ left: 6, top: 8, ...area })
      .resize(Math.round(width * 0.7))
      .jpeg({ quality: 60 })
      .toBuffer();
    const found = await verify(copy, "image/jpeg");
    expect(found).toMatchObject({ verdict: "made_here", image: record, synthetic: "rules" });
    expect(resultsOf(found)).toMatchObject({ c2pa: "no_match", watermark: "match" });
  });

  it("recognises a part of the image by the picture that is kept, and reports mark_found without it", async () => {
    const { width, height } = await sharp(png).metadata();
    const area = { width: Math.round(width * 0.6), height: Math.round(height * 0.6) };
    const part = sharp(png).extract({ left: 100, top: 100, ...area });
    const bytes = await part.jpeg({ quality: 80 }).toBuffer();
    expect(await verify(bytes, "image/jpeg")).toMatchObject({
      verdict: "made_here",
      based_on: ["watermark", "fingerprint"],
      image: record,
      synthetic: "rules",
    });
    const setAttempt = (attempt: string) =>
      stack.database.query(
        `UPDATE mark SET dossier_attempt = ${attempt}
          WHERE render_id = (SELECT render_id FROM mark_file WHERE sha256 = $1)`,
        [createHash("sha256").update(png).digest("hex")],
      );
    await setAttempt("NULL");
    const found = await verify(bytes, "image/jpeg");
    await setAttempt("1");
    expect(found).toMatchObject({ verdict: "mark_found", based_on: ["watermark"], image: record });
    expect(JSON.stringify(found)).toContain("Marks can be copied onto other pictures");
  });

  it("recognises a copy that was saved as AVIF or GIF", async () => {
    const small = sharp(png).resize(640);
    for (const format of ["avif", "gif"] as const) {
      const copy = await small.clone().toFormat(format).toBuffer();
      const found = await verify(copy, `image/${format}`);
      expect(found).toMatchObject({ verdict: "made_here", image: record, synthetic: "rules" });
    }
  });

  it("looks an SVG up by its hash, without drawing it", async () => {
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>`);
    expect(await verify(svg, "image/svg+xml")).toMatchObject({ verdict: "unknown" });
    const sha256 = createHash("sha256").update(svg).digest("hex");
    await stack.database.query(
      "INSERT INTO mark_file (sha256, render_id, format) SELECT $1, render_id, 'svg' FROM mark LIMIT 1",
      [sha256],
    );
    const found = await verify(svg, "image/svg+xml");
    await stack.database.query("DELETE FROM mark_file WHERE sha256 = $1", [sha256]);
    expect(found).toMatchObject({ verdict: "made_here", based_on: ["hash"], synthetic: "rules" });
    expect(resultsOf(found)).toMatchObject({
      watermark: "not_checked",
      fingerprint: "not_checked",
    });
  });

  it("returns unknown for an unrelated picture", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const create = { width: 600, height: 400, channels: 3, background: "#000", noise } as const;
    const found = await verify(await sharp({ create }).png().toBuffer());
    expect(found).toMatchObject({ verdict: "unknown", based_on: [], image: null });
  });

  it("looks up a hash alone", async () => {
    const known = await sendHash(createHash("sha256").update(png).digest("hex"));
    expect(await known.json()).toMatchObject({ verdict: "made_here", image: record });
    const other = await sendHash("0".repeat(64));
    expect(await other.json()).toMatchObject({ verdict: "unknown", image: null });
  });

  it("takes the only file of a form", async () => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(png)]), "fox.png");
    expect(await (await send(form)).json()).toMatchObject({ verdict: "made_here" });
  });

  it("reveals neither account nor prompt nor key nor render", async () => {
    const [render] = await stack.database.query<{ id: string; account: string }>(
      `SELECT render.id, account_id AS account FROM render
         JOIN generation ON generation.id = generation_id`,
    );
    const text = JSON.stringify(await verify(png));
    for (const secret of [render!.id, render!.account, "lighthouse", "storm", "atl_live"]) {
      expect(text).not.toContain(secret);
    }
  });

  it("stores nothing", async () => {
    const count = () =>
      stack.database.query(
        `SELECT (SELECT count(*) FROM mark) AS marks, (SELECT count(*) FROM mark_file) AS files,
                (SELECT count(*) FROM rate_limit) AS limits`,
      );
    const before = await count();
    await verify(png);
    expect(await count()).toEqual(before);
  });

  it.each([
    ["an empty body", "", "image/png", 422, "image_invalid"],
    ["text", "hello", "image/png", 422, "image_invalid"],
    ["an unknown media type", "hello", "text/plain", 400, "unsupported_media_type"],
    ["a form without a boundary", "x", "multipart/form-data", 400, "invalid_request"],
    [
      "a form that ends early",
      "--a\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\nx",
      "multipart/form-data; boundary=a",
      400,
      "invalid_request",
    ],
    [
      "a form without a file",
      "--a\r\nContent-Disposition: form-data; name=f\r\n\r\nx\r\n--a--",
      "multipart/form-data; boundary=a",
      400,
      "invalid_request",
    ],
    [
      "a hash in upper case",
      `{"sha256":"${"A".repeat(64)}"}`,
      "application/json",
      400,
      "invalid_request",
    ],
    [
      "a hash with another property",
      `{"sha256":"${"a".repeat(64)}","key":1}`,
      "application/json",
      400,
      "invalid_request",
    ],
    [
      "JSON of more than 1024 bytes",
      `{"sha256":"${"a".repeat(2_000)}"}`,
      "application/json",
      400,
      "request_too_large",
    ],
  ])("refuses %s", async (_, body, type, status, code) => {
    const response = await send(body, { type });
    expect([response.status, (await readError(response)).error]).toEqual([status, code]);
  });

  it("refuses two files, and files of more than 25 MB before they are sent", async () => {
    const form = new FormData();
    form.append("one", new Blob([new Uint8Array(png)]), "one.png");
    form.append("two", new Blob([new Uint8Array(png)]), "two.png");
    expect((await send(form)).status).toBe(400);
    const large = await send(new Uint8Array(26 * 1_048_576), { type: "image/png" });
    expect((await readError(large)).error).toBe("request_too_large");
  });

  it("refuses images of more than 40 megapixels", async () => {
    const create = { width: 8_000, height: 5_001, channels: 3, background: "#39c" } as const;
    const response = await send(new Uint8Array(await sharp({ create }).png().toBuffer()), {
      type: "image/png",
    });
    expect((await readError(response)).error).toBe("image_invalid");
  });

  it("refuses images beyond those that wait already with 503, and then takes more", async () => {
    const create = { width: 5_000, height: 4_000, channels: 3, background: "#39c" } as const;
    const large = new Uint8Array(await sharp({ create }).png().toBuffer());
    const from = (address: string) => {
      const headers = { "X-Forwarded-For": address };
      return send(large, { type: "image/png", headers });
    };
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => from(`198.51.100.${index % 6}`)),
    );
    const refused = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(refused).toHaveLength(8);
    expect(refused[0]!.headers.get("Retry-After")).toBe("1");
    expect(await verify(png)).toMatchObject({ verdict: "made_here" });
  });

  it("gives one client address half of the places, and another one those that are left", async () => {
    const create = { width: 6_000, height: 6_000, channels: 3, background: "#39c" } as const;
    const large = new Uint8Array(await sharp({ create }).png().toBuffer());
    const from = (address: string) =>
      send(large, { type: "image/png", headers: { "X-Forwarded-For": address } });
    const attacker = Array.from({ length: 8 }, () => from("203.0.113.1"));
    const first = await Promise.race(attacker);
    expect(first.status).toBe(503);
    expect((await from("203.0.113.2")).status).toBe(200);
    const statuses = (await Promise.all(attacker)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  it("charges one request for every 4 megapixels, and refuses the address that used them up", async () => {
    const create = { width: 4_000, height: 2_000, channels: 3, background: "#39c" } as const;
    const large = new Uint8Array(await sharp({ create }).png().toBuffer());
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    const limited = await startSecondApi(stack, {
      // One more is available half a minute later.
      VERIFICATIONS_PER_MINUTE: "2",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    const sent = { type: "image/png", url: limited.url, headers };
    expect((await send(large, sent)).headers.get("RateLimit")).toMatch(/r=0/);
    expect((await send(large, sent)).status).toBe(429);
    expect((await send(large, { ...sent, headers: {} })).status).toBe(200);
  });

  it("limits requests by client address, for each client of a trusted proxy", async () => {
    const from = (address: string) =>
      sendHash("0".repeat(64), { url: strictUrl, headers: { "X-Forwarded-For": address } });
    expect((await from("198.51.100.1")).status).toBe(200);
    expect((await from("198.51.100.1")).headers.get("RateLimit")).toMatch(/r=0/);
    const refused = await from("198.51.100.1");
    expect([refused.status, (await readError(refused)).error]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await from("198.51.100.2")).status).toBe(200);
  });
});
