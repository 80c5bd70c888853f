import { beginErasure, setSuspended } from "@atelier/accounts";
import { forgetShares, hashToken } from "@atelier/generations/library";
import { account, mintedKey } from "@atelier/schemas";
import { createdShare, shareList, type CreatedShare } from "@atelier/schemas/endpoints";
import { assertInvariants, startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { clientOf, createClient, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { addPerson } from "./support/people.ts";
import { startSecondApi } from "./support/second-api.ts";

const retentionMs = 48 * 3_600_000;
const dayMs = 86_400_000;
const abuseContact = "abuse@example.com";
const unknown = "A".repeat(22);
const prompt = "a fox in canarywood";

let stack: Stack;
/** Another process, with low limits of its own. */
let second: string;
let client: Client;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      SHARES: "on",
      ABUSE_CONTACT: abuseContact,
      RETENTION_HOURS: "48",
      SHARE_VIEWS_PER_MINUTE: "100000",
    },
  });
  ({ url: second } = await startSecondApi(stack, {}));
  client = await createClient(stack);
});

afterAll(() => stack?.stop());

const askFor = ({ account: of }: Client, body: object) =>
  stack.request(of, "POST", "/v1/shares", body);

async function share(of: Client, body: object): Promise<CreatedShare> {
  const response = await askFor(of, { days: 7, ...body });
  const answer: unknown = await response.json();
  expect([response.status, answer]).toMatchObject([201, {}]);
  return createdShare.parse(answer);
}

async function draw(of: Client, body: object = {}): Promise<string> {
  const { id, status } = await of.untilFinal(
    await of.accept({ model: "builtin-illustrator", prompt, ...body }),
  );
  expect(status).toBe("completed");
  return id;
}

async function tellStory(of: Client): Promise<string> {
  const response = await stack.request(of.account, "POST", "/v1/generate/story", {
    model: "fake-blind",
    title: "Canarytitle",
    characters: [{ name: "Mira", description: "a girl with red hair" }],
    scenes: [
      { prompt: "Mira finds a kite", characters: [{ name: "Mira" }] },
      { prompt: "Mira goes home", characters: [{ name: "Mira" }] },
    ],
  });
  const id = response.headers.get("X-Service-Job-Id") ?? "";
  await of.untilFinal(id);
  return id;
}

const view = (url: string, path = "", language = "en") =>
  fetch(url + path, { redirect: "manual", headers: { "Accept-Language": language } });

/** The status of a link in both processes, and whether their pages are those of an unknown link. */
async function seen(url: string) {
  const found = [];
  for (const api of [stack.url, second]) {
    const link = url.replace(stack.url, api);
    for (const path of ["", "/0/full", "/0/thumbnail"]) {
      const [response, other] = [await view(link, path), await view(`${api}/s/${unknown}`, path)];
      const shown = async (one: Response) => {
        const kept = [...one.headers].filter(
          ([name]) => !["date", "x-request-id"].includes(name) && !name.startsWith("ratelimit"),
        );
        return JSON.stringify([one.status, kept, await one.text()]);
      };
      found.push((await shown(response)) === (await shown(other)) ? "unknown" : response.status);
    }
  }
  return found;
}

const open = [200, 302, 302, 200, 302, 302];
const ended = Array.from({ length: 6 }, () => "unknown");

describe("a link to a picture", () => {
  it("shows the picture with its label and provenance, and nothing of the account or the job", async () => {
    const id = await draw(client);
    const { url } = await share(client, { job_id: id });
    expect(new URL(url).pathname).toMatch(/^\/s\/[\w-]{22}$/);
    const page = await view(url);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<html lang="en">');
    for (const part of ["AI-generated", "C2PA", abuseContact, `${stack.url}/verify`]) {
      expect(html).toContain(part);
    }
    const { accountId, keyId } = client.account;
    for (const hidden of [id, accountId, keyId, "canarywood", "test", "<script"]) {
      expect(html).not.toContain(hidden);
    }
    const german = await (await view(url, "", "de-AT")).text();
    expect(german).toContain('<html lang="de">');
    expect(german).toContain("KI-generiert");

    const file = (await view(url, "/0/full")).headers.get("Location") ?? "";
    expect(file).not.toContain(accountId);
    const bytes = Buffer.from(await (await fetch(file)).arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.toString("latin1")).toContain("c2pa");
    expect((await fetch(`${url}/0/thumbnail`)).headers.get("Content-Type")).toBe("image/webp");
  });

  it("has no script, no frame, no referrer, no place in a cache or an index", async () => {
    const { url } = await share(client, { job_id: await draw(client) });
    for (const [link, path] of [
      [url, ""],
      [url, "/0/full"],
      [`${stack.url}/s/${unknown}`, ""],
    ] as const) {
      const { headers } = await view(link, path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).toMatch(/; sandbox allow-downloads allow-top-navigation-to-custom-protocols$/);
      expect(policy).not.toMatch(/script-src|unsafe|allow-scripts|allow-same-origin/);
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow, noarchive");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it("shows one of several pictures", async () => {
    const id = await draw(client, { n: 2 });
    const all = await share(client, { job_id: id });
    const one = await share(client, { job_id: id, image: 1 });
    const figures = async ({ url }: CreatedShare) =>
      (await (await view(url)).text()).match(/<figure>/g)?.length;
    expect([await figures(all), await figures(one)]).toEqual([2, 1]);
    const location = async ({ url }: CreatedShare, path: string) =>
      (await view(url, path)).headers.get("Location")?.split("?")[0];
    expect(await location(one, "/0/full")).toBe(await location(all, "/1/full"));
    for (const path of ["/1/full", "/-1/full", "/0/png", "/x/full", "/0"]) {
      expect((await view(one.url, path)).status).toBe(404);
    }
    const missing = await askFor(client, { job_id: id, image: 2, days: 1 });
    expect(await readError(missing)).toMatchObject({ error: "file_not_found" });
  });

  it("shows the drawing of a graphic as an image", async () => {
    const response = await stack.request(client.account, "POST", "/v1/generate/diagram", {
      model: "builtin-diagram",
      source: "flowchart LR\n  A[Seed] --> B[Plant]",
      language: "mermaid",
    });
    expect(response.status).toBe(200);
    const id = response.headers.get("X-Service-Job-Id") ?? "";
    const { url } = await share(client, { job_id: id });
    const html = await (await view(url)).text();
    expect(html).toMatch(/<img src="[^"]*\/0\/full"/);
    expect(html).not.toMatch(/<svg|<object|<embed|<iframe/);
    const file = await fetch(`${url}/0/full`);
    expect(file.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment/);
    expect(file.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
  });
});

it("a link to a book shows its scenes without portraits and texts", async () => {
  const { url } = await share(client, { job_id: await tellStory(client) });
  const html = await (await view(url)).text();
  expect(html.match(/<figure>/g)).toHaveLength(2);
  expect(html).not.toMatch(/Mira|Canarytitle|kite/);
});

describe("the end of a link", () => {
  it("is that of its days when the images are kept, else that of the images", async () => {
    const id = await draw(client);
    const { completed_at: completedAt } = await client.read(id);
    const imagesEnd = Date.parse(completedAt ?? "") + retentionMs;
    const short = await share(client, { job_id: id, days: 1 });
    expect(Date.parse(short.expires_at) - Date.parse(short.created_at)).toBe(dayMs);
    const long = await share(client, { job_id: id, days: 30 });
    expect([long.kept, Date.parse(long.expires_at)]).toEqual([false, imagesEnd]);

    const kept = await share(client, { job_id: id, days: 30, keep: true });
    expect(kept.kept).toBe(true);
    expect(Date.parse(kept.expires_at) - Date.parse(kept.created_at)).toBe(30 * dayMs);
    const { keep } = await client.read(id);
    expect(["pending", "kept"]).toContain(keep?.status);
    expect(await seen(kept.url)).toEqual(open);

    const released = await stack.request(client.account, "DELETE", `/v1/jobs/${id}/keep`);
    expect(released.status).toBe(200);
    const now = await stack.request(client.account, "GET", `/v1/shares/${kept.id}`);
    const end = new Date(imagesEnd).toISOString();
    expect(await now.json()).toMatchObject({ kept: false, expires_at: end });
  });

  it("is that of its key", async () => {
    const expiresAt = new Date(Date.now() + dayMs).toISOString();
    const settings = { name: "a day", scopes: ["read", "generate"], expires_at: expiresAt };
    const response = await stack.request(client.account, "POST", "/v1/keys", settings);
    const { id, key } = mintedKey.parse(await response.json());
    const brief = clientOf(stack, { ...client.account, keyId: id, key });
    const made = await share(brief, { job_id: await draw(client), days: 30, keep: true });
    expect(made.expires_at).toBe(expiresAt);
  });
});

/** How a link ends, with a client of its own; the first part is named in the report. */
const endings: Readonly<
  Record<string, (of: Client, made: CreatedShare, jobId: string) => Promise<unknown>>
> = {
  "its time is over": (_, made) =>
    stack.database.query("UPDATE share SET expires_at = now() WHERE id = $1", [made.id]),
  "the images are past their retention": (_of, _made, jobId) =>
    stack.database.query(
      "UPDATE generation SET completed_at = completed_at - interval '48 hours' WHERE id = $1",
      [jobId],
    ),
  "its owner stops it": async (of, made) =>
    expect((await stack.request(of.account, "DELETE", `/v1/shares/${made.id}`)).status).toBe(204),
  "its images are deleted": async (of, _, jobId) =>
    expect((await stack.request(of.account, "DELETE", `/v1/jobs/${jobId}/images`)).status).toBe(
      200,
    ),
  "its key is revoked": async (of) =>
    expect((await stack.request(of.account, "DELETE", `/v1/keys/${of.account.keyId}`)).status).toBe(
      200,
    ),
  "its key loses a scope that it needs, by an earlier version": (of) =>
    stack.database.query("UPDATE api_key SET scopes = '{generate,manage}' WHERE id = $1", [
      of.account.keyId,
    ]),
  "its account is suspended": (of) => setSuspended(stack.database, of.account.accountId, true),
  "its account was suspended for a while": async (of) => {
    await setSuspended(stack.database, of.account.accountId, true);
    await setSuspended(stack.database, of.account.accountId, false);
  },
  "its account is suspended by an earlier version": (of) =>
    stack.database.query("UPDATE account SET suspended_at = now() WHERE id = $1", [
      of.account.accountId,
    ]),
  "its account is erased": (of) => beginErasure(stack.database, of.account.accountId),
};

it.each(Object.entries(endings))(
  "a link is like an unknown one in all processes once %s",
  async (_, end) => {
    const owner = await createClient(stack);
    const jobId = await draw(owner);
    const made = await share(owner, { job_id: jobId, days: 7 });
    expect(await seen(made.url)).toEqual(open);
    await end(owner, made, jobId);
    expect(await seen(made.url)).toEqual(ended);
    await forgetShares(stack.database, { retentionMs, limit: 10 });
    const rows = await stack.database.query("SELECT FROM share WHERE id = $1", [made.id]);
    expect(rows).toHaveLength(0);
    await assertInvariants(stack.database);
  },
);

describe("a share of a member", () => {
  /** A member with a link, and requests of the owner of its account. */
  async function memberWithShare(role: "manager" | "maker") {
    const owner = await createClient(stack);
    const send = async (method: string, path: string, body?: object) => {
      const response = await stack.request(owner.account, method, path, body);
      expect(response.ok).toBe(true);
      return response;
    };
    if (role === "maker") await send("PATCH", "/v1/account", { makers_read_all: true });
    const { id, keyId, ask } = await addPerson(stack, owner.account, role);
    // Makers share their own jobs only.
    const wanted = { model: "builtin-illustrator", prompt };
    const drawn = await ask("POST", "/v1/generate/image", wanted);
    const body = { job_id: drawn.headers.get("X-Service-Job-Id"), days: 7 };
    const made = createdShare.parse(await (await ask("POST", "/v1/shares", body)).json());
    expect(await seen(made.url)).toEqual(open);
    return { send, path: `/v1/members/${id}`, keyId, made };
  }

  it("ends with the member, and does not return when the member is enabled", async () => {
    const { send, path, made } = await memberWithShare("manager");
    await send("POST", `${path}/disable`);
    expect(await seen(made.url)).toEqual(ended);
    await send("POST", `${path}/enable`);
    expect(await seen(made.url)).toEqual(ended);
  });

  it("does not return after a version without shares has disabled the member", async () => {
    const { send, path, keyId, made } = await memberWithShare("manager");
    await stack.database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [keyId]);
    await send("POST", `${path}/enable`);
    expect(await seen(made.url)).toEqual(ended);
  });

  it("ends with a role that may not share, and does not return with a higher one", async () => {
    const { send, path, made } = await memberWithShare("manager");
    await send("PATCH", path, { role: "maker" });
    expect(await seen(made.url)).toEqual(ended);
    await send("PATCH", path, { role: "manager" });
    expect(await seen(made.url)).toEqual(ended);
  });

  it("ends when makers may no longer read all jobs", async () => {
    const { send, made } = await memberWithShare("maker");
    await send("PATCH", "/v1/account", { makers_read_all: false });
    expect(await seen(made.url)).toEqual(ended);
    await send("PATCH", "/v1/account", { makers_read_all: true });
    expect(await seen(made.url)).toEqual(ended);
  });
});

describe("a stranger", () => {
  it("without the link sees the page of an unknown one", async () => {
    const { id } = await share(client, { job_id: await draw(client) });
    for (const token of [id, "", "x", unknown, `${unknown}A`, `${unknown}/0/full`, "%00"]) {
      expect((await view(`${stack.url}/s/${token}`)).status).toBe(404);
    }
    const other = await createClient(stack);
    for (const method of ["GET", "DELETE"]) {
      const refused = await stack.request(other.account, method, `/v1/shares/${id}`);
      expect(await readError(refused)).toMatchObject({ error: "share_not_found" });
    }
  });

  it("with the link cannot change anything", async () => {
    const { url } = await share(client, { job_id: await draw(client) });
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await fetch(url, { method })).status).toBe(404);
    }
    expect(await seen(url)).toEqual(open);
  });
});

it("only its owner lists a share, without the link, and exports it", async () => {
  const owner = await createClient(stack);
  const { url, ...made } = await share(owner, { job_id: await draw(owner) });
  const listed = await stack.request(owner.account, "GET", "/v1/shares");
  expect(shareList.parse(await listed.json())).toEqual({ shares: [made], next_cursor: null });
  const others = await stack.request(client.account, "GET", "/v1/shares");
  expect(shareList.parse(await others.json()).shares).not.toContainEqual(made);
  const exported = await (await stack.request(owner.account, "GET", "/v1/account/export")).text();
  expect(exported).toContain(JSON.stringify({ type: "share", share: made }));
  const token = url.split("/").at(-1) ?? "";
  expect(exported).not.toContain(token);
  const rows = await stack.database.query<{ row: string; hash: Buffer }>(
    "SELECT share::text AS row, hash FROM share WHERE id = $1",
    [made.id],
  );
  expect(rows[0]?.row).not.toContain(token);
  expect(rows[0]?.hash.equals(hashToken(token))).toBe(true);
});

it("a share needs a completed job of the account, a live key, and one to thirty days", async () => {
  const minted = await stack.request(client.account, "POST", "/v1/keys", {
    name: "CI",
    mode: "test",
  });
  const { id: keyId, key } = mintedKey.parse(await minted.json());
  const test = clientOf(stack, { ...client.account, keyId, key });
  const jobId = await draw(client);
  const refusals = [
    [test, { job_id: jobId, days: 1 }, "key_not_permitted"],
    [client, { job_id: await draw(test), days: 1 }, "job_not_found"],
    [await createClient(stack), { job_id: jobId, days: 1 }, "job_not_found"],
    [client, { job_id: jobId, days: 31 }, "invalid_request"],
    [client, { job_id: jobId, days: 0 }, "invalid_request"],
    [client, { job_id: jobId }, "invalid_request"],
  ] as const;
  for (const [of, body, error] of refusals) {
    expect(await readError(await askFor(of, body))).toMatchObject({ error });
  }
  await stack.request(client.account, "DELETE", `/v1/jobs/${jobId}/images`);
  const gone = await askFor(client, { job_id: jobId, days: 1, keep: true });
  expect(await readError(gone)).toMatchObject({ error: "file_not_found" });
  const repeated = await stack.request(
    client.account,
    "POST",
    "/v1/shares",
    { job_id: jobId, days: 1 },
    { "Idempotency-Key": "once" },
  );
  expect(await readError(repeated)).toMatchObject({ error: "invalid_request" });
});

it("links are in no line of the log", async () => {
  const { url } = await share(client, { job_id: await draw(client) });
  const token = url.split("/").at(-1) ?? "";
  for (const path of ["", "/0/full", "/1/full", "/0/x/y"]) await view(url, path);
  for (const path of [`/S/${token}`, `//s/${token}`, `/x/s/${token}`, `/s/${token}?a=b`]) {
    await view(stack.url + path);
  }
  await stack.database.query("ALTER TABLE share RENAME COLUMN hash TO renamed");
  expect((await view(url)).status).toBe(500);
  await stack.database.query("ALTER TABLE share RENAME COLUMN renamed TO hash");
  const log = await eventually(
    () => stack.api.log(),
    (text) => text.includes("request failed"),
  );
  expect(log).toContain('"path":"/s/*"');
  expect(log).toContain('"route":"/s/:token"');
  expect(log).not.toContain(token);
});

describe("the rate limits of views", () => {
  it("count an address and a link, and unknown links cost one statement at most", async () => {
    const { url } = await share(client, { job_id: await draw(client) });
    const limited = await startSecondApi(stack, { SHARE_VIEWS_PER_MINUTE: "3" });
    const link = url.replace(stack.url, limited.url);
    const statuses = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await view(link)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const other = await view(`${limited.url}/s/${unknown}`);
    expect(other.status).toBe(429);
    expect(other.headers.get("RateLimit-Policy")).toContain('"view";q=3');
    await limited.program.stop();

    const proxied = await startSecondApi(stack, {
      SHARE_VIEWS_PER_MINUTE: "1",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    const seenBy = [];
    for (let address = 1; address <= 11; address++) {
      const headers = { "X-Forwarded-For": `192.0.2.${address}` };
      const response = await fetch(url.replace(stack.url, proxied.url), { headers });
      seenBy.push(response.status);
    }
    expect(seenBy).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    await proxied.program.stop();
  });
});

describe("SHARES", () => {
  it("off shows no page, creates no share, and still stops those that are left", async () => {
    const { id, url } = await share(client, { job_id: await draw(client) });
    const off = await startSecondApi(stack, { SHARES: "off" });
    const ask = (method: string, path: string, body?: object) =>
      fetch(off.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${client.account.key}`,
          "Content-Type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const pages = await Promise.all(
      [url.replace(stack.url, off.url), `${off.url}/s/${unknown}`].map(async (link) => {
        const response = await view(link);
        return [response.status, ((await response.json()) as { error: string }).error];
      }),
    );
    expect(pages).toEqual([
      [404, "not_found"],
      [404, "not_found"],
    ]);
    const refused = await ask("POST", "/v1/shares", { job_id: id, days: 1 });
    expect(await readError(refused)).toMatchObject({
      error: "key_not_permitted",
      message: "Sharing is switched off on this service. Ask its operator.",
    });
    expect(account.parse(await (await ask("GET", "/v1/account")).json()).sharing).toBe(false);
    expect((await ask("DELETE", `/v1/shares/${id}`)).status).toBe(204);
    expect(await seen(url)).toEqual(ended);
    await off.program.stop();
  });
});
