import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { newId } from "@atelier/database";
import { verifyProvenance } from "@atelier/provenance/images";
import { startStack, type Stack } from "@atelier/testing";
import { Ajv } from "ajv";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient } from "./support/client.ts";

// The specification's own document (C2PA Soft Binding Resolution API 1.0.0), as AdobeDocs mirrors it in
// cai-soft-binding-api, static/c2pa-original-soft-binding.json.
const specification = JSON.parse(
  await readFile(new URL("support/c2pa-soft-binding-api.json", import.meta.url), "utf8"),
);

type Schemas = Record<string, { properties: Record<string, { items: Record<string, unknown> }> }>;
const schemas = specification.components.schemas as Schemas;
// The document requires a property "watermarks" or "fingerprints" of each item of the list, which its own
// example lacks. It is meant of the list itself.
delete schemas["c2pa.softBindingAlgList"]?.properties["watermarks"]?.items["oneOf"];
const ajv = new Ajv({ strict: false });

function expectValid(name: string, body: unknown): void {
  const validate = ajv.compile(schemas[name]!);
  expect([validate(body), validate.errors]).toEqual([true, null]);
}

interface Found {
  readonly matches: readonly { readonly manifestId: string; readonly similarityScore?: number }[];
}

let stack: Stack;
let account: Awaited<ReturnType<typeof createClient>>["account"];
let png: Buffer;
let mark: { readonly id: string; readonly hash: string; readonly manifests: readonly string[] };

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: {
      WATERMARK_SECRET: "the watermark secret of these tests, long enough",
      SOFT_BINDING_ALGORITHM: "com.example.atelier.1",
      OLD_SOFT_BINDING_ALGORITHMS: "com.example.former.1, com.example.first.1",
      VERIFY_URL: "https://example.com/verify?from=atelier",
      VERIFICATIONS_PER_MINUTE: "1000",
    },
  });
  // The image was made before the algorithm got its current name.
  await stack.startWorker({ SOFT_BINDING_ALGORITHM: "com.example.former.1" });
  const client = await createClient(stack);
  account = client.account;
  const generated = await client.generate({
    model: "builtin-illustrator",
    prompt: "a lighthouse in a storm",
  });
  const { image_url } = (await generated.json()) as { image_url: string };
  png = Buffer.from(await (await fetch(image_url)).arrayBuffer());
  const [found] = await stack.database.query<typeof mark>(
    `SELECT watermark_id AS id, mark.render_id, encode(hashes.bytes, 'hex') AS hash,
            array_agg('urn:c2pa:' || manifest_id ORDER BY format) AS manifests
       FROM mark JOIN mark_file ON mark_file.render_id = mark.render_id,
            LATERAL (SELECT decode(string_agg(to_hex(substring(perceptual_hash FROM 4 * at + 1 FOR 4)::int), ''
                            ORDER BY at), 'hex') AS bytes FROM generate_series(0, 63) AS at) AS hashes
      GROUP BY 1, 2, 3`,
  );
  mark = found!;
}, 120_000);

afterAll(() => stack.stop());

const url = (path: string, query: Record<string, string> = {}) =>
  `${stack.url}/c2pa${path}?${new URLSearchParams(query).toString()}`;

const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

async function read(response: Response): Promise<Found> {
  expect(response.status).toBe(200);
  const body: unknown = await response.json();
  expectValid("c2pa.softBindingQueryResult", body);
  return body as Found;
}

const idsOf = ({ matches }: Found) => matches.map(({ manifestId }) => manifestId);

const byBinding = async (query: Record<string, string>) =>
  read(await fetch(url("/matches/byBinding", query)));

const sendContent = (bytes: Uint8Array, query: Record<string, string> = {}, type = "image/jpeg") =>
  fetch(url("/matches/byContent", query), {
    method: "POST",
    headers: { "Content-Type": type },
    body: new Uint8Array(bytes),
  });

const byContent = async (bytes: Uint8Array, query: Record<string, string> = {}) =>
  read(await sendContent(bytes, query));

describe("the C2PA Soft Binding Resolution API", { timeout: 60_000 }, () => {
  it("leads from a copy without metadata to the manifest of the delivered file", async () => {
    const copy = await sharp(png).resize(500).jpeg({ quality: 70 }).toBuffer();
    const found = await byContent(copy);
    expect(idsOf(found)).toEqual(mark.manifests);
    expect(found.matches[0]?.similarityScore).toBe(100);

    const response = await fetch(url(`/manifests/${idsOf(found)[0]}`));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/c2pa");
    const store = Buffer.from(await response.arrayBuffer());
    expect(png.includes(store)).toBe(true);
    expect(store.toString("latin1", 4, 8)).toBe("jumb");
  });

  it("leads from a part of the image to its manifests", async () => {
    const { width, height } = await sharp(png).metadata();
    const area = { width: Math.round(width * 0.6), height: Math.round(height * 0.6) };
    const part = await sharp(png)
      .extract({ left: 90, top: 110, ...area })
      .jpeg()
      .toBuffer();
    expect(idsOf(await byContent(part))).toEqual(mark.manifests);
  });

  it("has no match for a picture that only looks alike", async () => {
    // The mark is not searched in such a small picture.
    const similar = await sharp(png).resize(80, 80, { fit: "fill" }).png().toBuffer();
    const verified = await fetch(`${stack.url}/verify`, {
      method: "POST",
      headers: { "Content-Type": "image/png" },
      body: new Uint8Array(similar),
    });
    expect(await verified.json()).toMatchObject({ verdict: "similar_found" });
    expect(await byContent(similar)).toEqual({ matches: [] });
  });

  it("has no match for a mark on a picture that looks like another image", async () => {
    const copy = await sharp(png).resize(500).jpeg({ quality: 70 }).toBuffer();
    const other = newId();
    // The registered look of the marked image becomes the opposite, and another one gets its look.
    await stack.database.query(
      `INSERT INTO mark (render_id, model, perceptual_hash)
       SELECT $1, model, perceptual_hash FROM mark WHERE watermark_id = $2`,
      [other, mark.id],
    );
    // There is no dossier of this attempt, so nothing is compared.
    await stack.database.query(
      `UPDATE mark SET perceptual_hash = ~perceptual_hash, dossier_attempt = dossier_attempt + 9
        WHERE watermark_id = $1`,
      [mark.id],
    );
    try {
      const verified = await fetch(`${stack.url}/verify`, {
        method: "POST",
        headers: { "Content-Type": "image/jpeg" },
        body: new Uint8Array(copy),
      });
      expect(await verified.json()).toMatchObject({
        verdict: "mark_found",
        based_on: ["watermark"],
      });
      expect(await byContent(copy)).toEqual({ matches: [] });
    } finally {
      await stack.database.query("DELETE FROM mark WHERE render_id = $1", [other]);
      await stack.database.query(
        `UPDATE mark SET perceptual_hash = ~perceptual_hash, dossier_attempt = dossier_attempt - 9
          WHERE watermark_id = $1`,
        [mark.id],
      );
    }
  });

  it("returns the manifests of a watermark, of each name that it has had", async () => {
    const names = [
      "com.example.atelier.1",
      "com.example.former.1",
      "com.example.first.1",
      "atelier.tile.1",
    ];
    for (const alg of names) {
      expect(idsOf(await byBinding({ alg, value: base64(mark.id) }))).toEqual(mark.manifests);
    }
    const posted = await fetch(url("/matches/byBinding", { maxResults: "2" }), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ alg: "com.example.atelier.1", value: base64(mark.id) }),
    });
    expect(idsOf(await read(posted))).toEqual(mark.manifests.slice(0, 2));
    const unknown = { alg: "atelier.tile.1", value: base64("00000000000000ff") };
    expect(await byBinding(unknown)).toEqual({ matches: [] });
  });

  it("accepts a manifest with a former name as made here", async () => {
    expect(png.includes("com.example.former.1")).toBe(true);
    expect(png.includes("com.example.atelier.1")).toBe(false);
    const verified = await fetch(`${stack.url}/verify`, {
      method: "POST",
      headers: { "Content-Type": "image/png" },
      body: new Uint8Array(png),
    });
    const body = (await verified.json()) as { verdict: string; based_on: readonly string[] };
    expect(body.verdict).toBe("made_here");
    expect(body.based_on).toEqual(expect.arrayContaining(["c2pa", "watermark"]));
  });

  it("returns the manifests of a fingerprint only if all bits are equal", async () => {
    const alg = "com.example.atelier.fingerprint.1";
    const hash = base64(mark.hash);
    for (const name of [alg, "com.example.former.fingerprint.1"]) {
      expect(idsOf(await byBinding({ alg: name, value: hash }))).toEqual(mark.manifests);
    }
    const changed = Buffer.from(mark.hash, "hex");
    changed[5]! ^= 1;
    const value = changed.toString("base64");
    expect(await byBinding({ alg, value })).toEqual({ matches: [] });
  });

  it("returns nothing for a fingerprint that two images have", async () => {
    const alg = "com.example.atelier.fingerprint.1";
    const twin = newId();
    await stack.database.query(
      `INSERT INTO mark (render_id, model, perceptual_hash)
       SELECT $1, model, perceptual_hash FROM mark WHERE watermark_id = $2`,
      [twin, mark.id],
    );
    try {
      expect(await byBinding({ alg, value: base64(mark.hash) })).toEqual({ matches: [] });
    } finally {
      await stack.database.query("DELETE FROM mark WHERE render_id = $1", [twin]);
    }
  });

  it("returns only matches of the algorithm that is asked for", async () => {
    const copy = await sharp(png).resize(500).jpeg({ quality: 70 }).toBuffer();
    const counts = async (alg: string) => (await byContent(copy, { alg })).matches.length;
    expect(await counts("com.example.atelier.1")).toBe(mark.manifests.length);
    expect(await counts("com.example.former.1")).toBe(mark.manifests.length);
    expect(await counts("com.example.other.1")).toBe(0);
    const hinted = { hintAlg: "com.example.other.1", hintValue: "AAAA", maxResults: "1" };
    expect((await byContent(copy, hinted)).matches).toHaveLength(1);
  });

  it("lists its algorithms, the current ones first", async () => {
    const response = await fetch(url("/services/supportedAlgorithms"));
    const body: unknown = await response.json();
    expectValid("c2pa.softBindingAlgList", body);
    expect(body).toEqual({
      watermarks: [
        { alg: "com.example.atelier.1" },
        { alg: "com.example.former.1" },
        { alg: "com.example.first.1" },
        { alg: "atelier.tile.1" },
      ],
      fingerprints: [
        { alg: "com.example.atelier.fingerprint.1" },
        { alg: "com.example.former.fingerprint.1" },
        { alg: "com.example.first.fingerprint.1" },
        { alg: "atelier.tile.fingerprint.1" },
      ],
    });
  });

  it("returns a store with the active manifest alone", async () => {
    const [id] = mark.manifests;
    const response = await fetch(url(`/manifests/${id}`, { returnActiveManifest: "true" }));
    const store = Buffer.from(await response.arrayBuffer());
    expect(store.readUInt32BE(0)).toBe(store.length);
    expect(store.includes(`${id}\0`)).toBe(true);
  });

  it.each<[string, Record<string, string>, number]>([
    ["/matches/byBinding", { alg: "atelier.tile.1" }, 400],
    ["/matches/byBinding", { alg: "com.example.other.1", value: "AAAA" }, 400],
    ["/matches/byBinding", { alg: "atelier.tile.1", value: "AAAA" }, 400],
    ["/matches/byBinding", { alg: "atelier.tile.1", value: "A".repeat(3_000) }, 400],
    ["/matches/byBinding", { alg: "atelier.tile.1", value: "AAAA", maxResults: "0" }, 400],
    ["/manifests/urn:uuid:1", {}, 400],
    ["/manifests/urn:c2pa:019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46", {}, 404],
  ])("responds to GET %s with %j with %i", async (path, query, status) => {
    const response = await fetch(url(path, query));
    expect(response.status).toBe(status);
  });

  it.each([
    ["/matches/byBinding", "text/plain", 400],
    ["/matches/byContent", "video/mp4", 400],
    ["/matches/byContent", "image/png", 422],
  ])("responds to POST %s of %s with %i", async (path, type, status) => {
    const headers = { "Content-Type": type };
    const response = await fetch(url(path), { method: "POST", headers, body: "x" });
    expect(response.status).toBe(status);
  });

  it("has no manifest after the dossier's retention", async () => {
    const sha256 = createHash("sha256").update(png).digest("hex");
    const set = (attempt: string) =>
      stack.database.query(
        `UPDATE mark SET dossier_attempt = ${attempt}
          WHERE render_id = (SELECT render_id FROM mark_file WHERE sha256 = $1)`,
        [sha256],
      );
    await set("NULL");
    expect(await byBinding({ alg: "atelier.tile.1", value: base64(mark.id) })).toEqual({
      matches: [],
    });
    expect((await fetch(url(`/manifests/${mark.manifests[0]}`))).status).toBe(404);
    await set("1");
  });

  it("can be used by scripts of all web pages, as POST /verify can", async () => {
    for (const path of ["/c2pa/matches/byContent", "/verify"]) {
      const preflight = await fetch(`${stack.url}${path}`, {
        method: "OPTIONS",
        headers: {
          Origin: "https://news.example",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type",
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
      expect(preflight.headers.get("access-control-allow-headers")).toBe("Content-Type");
      const refused = await fetch(`${stack.url}${path}`, { method: "POST", body: "x" });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  it("names the page that verifies an image with each file, and serves the label for pages", async () => {
    const [file] = await stack.database.query<{ id: string }>(
      "SELECT generation_id AS id FROM render LIMIT 1",
    );
    const job = await (await stack.request(account, "GET", `/v1/jobs/${file?.id}`)).json();
    const { image_url } = (job as { result: { image_url: string } }).result;
    const image = await fetch(image_url);
    expect(image.headers.get("link")).toBe(
      `<https://example.com/verify?from=atelier>; rel="describedby"`,
    );
    const label = await fetch(`${stack.url}/label.js`);
    expect(label.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(label.headers.get("access-control-allow-origin")).toBe("*");
    expect(await label.text()).toContain(`"verifyUrl":"https://example.com/verify?from=atelier"`);
  });
});

describe("an image whose metadata were removed", { timeout: 60_000 }, () => {
  it("keeps its source type by its watermark when it is scaled up", async () => {
    const stripped = await sharp(png).resize(512).png().toBuffer();
    const uploaded = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(stripped),
    });
    const { id } = (await uploaded.json()) as { id: string };
    const body = { model: "builtin-upscaler", image: { upload_id: id }, factor: 2 };
    const response = await stack.request(account, "POST", "/v1/generate/upscale", body);
    const { image_url: file } = (await response.json()) as { image_url: string };
    const bytes = Buffer.from(await (await fetch(file)).arrayBuffer());
    const { trustAnchorsPem } = stack;
    expect(await verifyProvenance(bytes, { trustAnchorsPem })).toMatchObject({
      state: "trusted",
      synthetic: "composite",
    });
  });
});

describe("GET /v1/jobs?similar_to", { timeout: 60_000 }, () => {
  const imageHash = async (body: object, operation = "image") => {
    const made = await stack.request(account, "POST", `/v1/generate/${operation}`, {
      model: "builtin-illustrator",
      ...body,
    });
    const { image_hash: hash = "" } = (await made.json()) as { image_hash?: string };
    const [id = ""] = await idsOfJobs(stack.request(account, "GET", `/v1/jobs?hash=${hash}`));
    return { id, hash };
  };
  const list = (query: string, owner = account) =>
    stack.request(owner, "GET", `/v1/jobs?similar_to=${query}`);
  const idsOfJobs = async (listed: Promise<Response>) => {
    const response = await listed;
    expect(response.status).toBe(200);
    return ((await response.json()) as { jobs: { id: string }[] }).jobs.map(({ id }) => id);
  };
  const idsFor = (query: string, owner = account) => idsOfJobs(list(query, owner));

  it("lists the jobs with images that look alike, newest first, with the other filters and pages", async () => {
    const first = await imageHash({ prompt: "a red fox in the snow", seed: 5 });
    const varied = await imageHash({ image: { job_id: first.id }, strength: 0.05 }, "variations");
    await imageHash({ prompt: "a castle on a hill", seed: 5 });
    expect(await idsFor(first.hash)).toEqual([varied.id, first.id]);
    expect(await idsFor(varied.hash.toUpperCase())).toEqual([varied.id, first.id]);
    expect(await idsFor(`${first.hash}&operation=image`)).toEqual([first.id]);
    expect(await idsFor(`${first.hash}&q=castle`)).toEqual([]);
    expect(await idsFor(`${first.hash}&status=failed`)).toEqual([]);
    expect(await idsFor(`${first.hash}&hash=${varied.hash}`)).toEqual([varied.id]);
    const page = (await (await list(`${first.hash}&limit=1`)).json()) as { next_cursor: string };
    expect(await idsFor(`${first.hash}&limit=1&cursor=${page.next_cursor}`)).toEqual([first.id]);

    const deleted = await stack.request(account, "DELETE", `/v1/jobs/${first.id}/images`);
    expect(deleted.status).toBe(200);
    expect(await idsFor(first.hash)).toEqual([varied.id, first.id]);
  });

  it("knows no image of another account, of live keys for a test key, and of other keys for a key without the scope read", async () => {
    const { id, hash } = await imageHash({ prompt: "a harbour at night" });
    expect(await idsFor(hash)).toContain(id);
    const stranger = (await createClient(stack)).account;
    const keyFor = async (body: object) => {
      const created = await stack.request(account, "POST", "/v1/keys", body);
      expect(created.status).toBe(201);
      return { ...account, key: ((await created.json()) as { key: string }).key };
    };
    const maker = await keyFor({ name: "maker", scopes: ["generate"] });
    const tester = await keyFor({ name: "tester", scopes: ["read", "generate"], mode: "test" });
    for (const owner of [stranger, maker, tester]) {
      const response = await list(hash, owner);
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { error: "job_not_found", message: expect.stringContaining(hash) },
      ]);
    }
    expect((await list("0".repeat(64))).status).toBe(404);
    expect((await list("abc")).status).toBe(400);
  });
});
