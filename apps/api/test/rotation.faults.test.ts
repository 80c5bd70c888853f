import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { countPepperUse } from "@atelier/accounts";
import { createDatabase } from "@atelier/database";
import { createQueues } from "@atelier/queue";
import type { Program } from "@atelier/process";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { job, verification, webhookWithSecret, type Verification } from "@atelier/schemas";
import { startLoad, startStack, type Load, type Stack, type TestAccount } from "@atelier/testing";
import { Redis } from "ioredis";
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { eventually } from "./support/eventually.ts";
import { startSecondApi } from "./support/second-api.ts";
import { askAsPage, cookieOf, signIn } from "./support/studio.ts";

const redisUrl = inject("redisUrl");
const s3Url = inject("s3Url");

const oldPepper = "the pepper before the rotation and long enough";
const newPepper = "the pepper after the rotation and long enough";
const secretOf = (name: string, version: number) =>
  `${name} ${version} that is long enough for a secret`;

/** A user of Redis whose password is rotated. */
const redisUser = `rotated-${crypto.randomUUID()}`;

/** Returns a URL with other credentials. */
function withCredentials(url: string, username: string, password: string): string {
  const changed = new URL(url);
  changed.username = username;
  changed.password = password;
  return changed.href;
}

describe.skipIf(redisUrl === null || s3Url === null)(
  "a running system, of which one process after another is restarted with a new secret",
  { timeout: 300_000 },
  () => {
    let stack: Stack;
    let redis: Redis;
    let receiver: Server;
    let account: TestAccount;
    let api: { readonly url: string; readonly program: Program };
    let settings: Record<string, string>;
    const deliveries: { readonly body: string; readonly headers: Record<string, string> }[] = [];
    let load: Load;

    beforeAll(async () => {
      redis = new Redis(redisUrl ?? "");
      await redis.call("ACL", "SETUSER", redisUser, "on", ">old", "~*", "&*", "+@all");
      receiver = createServer((request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += String(chunk)));
        request.on("end", () => {
          deliveries.push({ body, headers: request.headers as Record<string, string> });
          response.writeHead(204).end();
        });
      });
      await once(receiver.listen(0, "127.0.0.1"), "listening");
      stack = await startStack({
        postgresUrl: inject("postgresUrl"),
        processes: true,
        redisUrl: withCredentials(redisUrl ?? "", redisUser, "old"),
        s3Url,
        workers: 1,
        environment: {
          KEY_PEPPER: oldPepper,
          ADMIN_KEY: secretOf("admin key", 1),
          METRICS_TOKEN: secretOf("metrics token", 1),
          WATERMARK_SECRET: secretOf("watermark", 1),
          WEBHOOK_PRIVATE_HOSTS: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
          VERIFICATIONS_PER_MINUTE: "1000",
          GENERATIONS_PER_MINUTE: "100000",
          OTHER_REQUESTS_PER_MINUTE: "100000",
          // No client sends a request over a connection that the stopping API closes.
          DRAIN_DELAY_SECONDS: "1",
        },
      });
      settings = { ...stack.environment };
      api = { url: stack.url, program: stack.api };
      account = await stack.createAccount("1000");
      load = startLoad([
        () => send("GET", "/v1/account"),
        () => send("POST", "/v1/generate/image", image),
      ]);
    }, 120_000);

    afterAll(async () => {
      await load?.stop();
      await stack?.stop();
      receiver?.close();
      await redis?.call("ACL", "DELUSER", redisUser);
      redis?.disconnect();
    });

    const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };

    function send(method: string, path: string, body?: unknown): Promise<Response> {
      return fetch(api.url + path, {
        method,
        headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    }

    /** Replaces the workers, and then the API, each by one with changed settings. */
    async function restart(changes: Readonly<Record<string, string>>): Promise<void> {
      settings = { ...settings, ...changes };
      for (const old of stack.workers.splice(0)) {
        await stack.startWorker(settings);
        expect(await old.stop()).toBe(0);
      }
      const { program: old } = api;
      api = await startSecondApi(stack, settings);
      expect(await old.stop()).toBe(0);
    }

    /** Runs a rotation and returns the requests that failed meanwhile. */
    async function failuresDuring(rotation: () => Promise<unknown>): Promise<readonly string[]> {
      load.failed.length = 0;
      const before = load.sent;
      await rotation();
      // With the new secret as well.
      const after = load.sent;
      await eventually(
        () => Promise.resolve(load.sent),
        (count) => count > after + 4,
      );
      expect(load.sent - before).toBeGreaterThan(10);
      return [...load.failed];
    }

    /** Lets any worker clean at any time. */
    async function freeCleaning(stopped: AbortSignal): Promise<void> {
      while (!stopped.aborted) {
        await stack.database.query(
          "UPDATE recurring_task SET next_turn_at = now() WHERE task = 'cleaning'",
        );
        await delay(100);
      }
    }

    async function makeImage(): Promise<Buffer> {
      const response = await send("POST", "/v1/generate/image", {
        model: "builtin-illustrator",
        prompt: `a lighthouse in storm number ${load.sent}`,
      });
      const { image_url } = (await response.json()) as { image_url: string };
      return Buffer.from(await (await fetch(image_url)).arrayBuffer());
    }

    async function verify(bytes: Uint8Array): Promise<Verification> {
      const response = await fetch(`${api.url}/verify`, {
        method: "POST",
        headers: { "Content-Type": "image/png" },
        body: new Uint8Array(bytes),
      });
      return verification.parse(await response.json());
    }

    it("keeps keys, webhooks and sessions with a new KEY_PEPPER", async () => {
      const { port } = receiver.address() as AddressInfo;
      const webhook = webhookWithSecret.parse(
        await (
          await send("POST", "/v1/webhooks", {
            url: `http://127.0.0.1:${port}/`,
            events: ["job.completed"],
          })
        ).json(),
      );
      const cookie = cookieOf(await signIn(api.url, { key: account.key }));
      const forgetUse = () =>
        stack.database.query("UPDATE api_key SET last_used_at = now() - interval '1 hour'");
      const stopFreeing = new AbortController();
      const use = () => countPepperUse(stack.database, [newPepper, oldPepper]);

      const failed = await failuresDuring(async () => {
        await restart({ OLD_KEY_PEPPERS: newPepper });
        // So that the first cleaning of a new worker, within 15 s, is not too early after the last one.
        const freeing = freeCleaning(stopFreeing.signal);
        await restart({ KEY_PEPPER: newPepper, OLD_KEY_PEPPERS: oldPepper });
        const session = await askAsPage(api.url, { path: "/v1/account", cookie });
        expect(session.status).toBe(200);
        await forgetUse();
        await eventually(use, ({ keys }) => keys.old === 0 && keys.current === 1);
        await eventually(use, ({ webhooks }) => webhooks.old === 0 && webhooks.current === 1);
        stopFreeing.abort();
        await freeing;
        await restart({ OLD_KEY_PEPPERS: "" });
      });
      expect(failed).toEqual([]);

      deliveries.length = 0;
      await send("POST", "/v1/generate/image", image);
      await eventually(
        () => Promise.resolve(deliveries),
        ({ length }) => length > 0,
      );
      const [delivery] = deliveries;
      new Webhook(webhook.secret).verify(delivery?.body ?? "", delivery?.headers ?? {});
    });

    it("accepts the new ADMIN_KEY and METRICS_TOKEN, and refuses the old ones", async () => {
      const scrape = async (version: number) => {
        const { admin } = api.program.ports;
        const headers = { Authorization: `Bearer ${secretOf("metrics token", version)}` };
        return (await fetch(`http://127.0.0.1:${admin}/metrics`, { headers })).status;
      };
      const showQueues = async (version: number) => {
        const { admin } = api.program.ports;
        const credentials = Buffer.from(`admin:${secretOf("admin key", version)}`);
        const headers = { Authorization: `Basic ${credentials.toString("base64")}` };
        return (await fetch(`http://127.0.0.1:${admin}/queues`, { headers })).status;
      };
      const changes = {
        ADMIN_KEY: secretOf("admin key", 2),
        METRICS_TOKEN: secretOf("metrics token", 2),
      };
      expect(await failuresDuring(() => restart(changes))).toEqual([]);
      expect([await scrape(1), await scrape(2)]).toEqual([401, 200]);
      expect([await showQueues(1), await showQueues(2)]).toEqual([401, 200]);
    });

    it("finds old and new marks with a new WATERMARK_SECRET", async () => {
      const withoutManifest = async () =>
        sharp(await makeImage())
          .png()
          .toBuffer();
      const older = await withoutManifest();
      const changes = {
        WATERMARK_SECRET: secretOf("watermark", 2),
        WATERMARK_OLD_SECRETS: secretOf("watermark", 1),
      };
      expect(await failuresDuring(() => restart(changes))).toEqual([]);
      for (const bytes of [older, await withoutManifest()]) {
        const { techniques } = await verify(bytes);
        expect(techniques).toContainEqual(
          expect.objectContaining({ technique: "watermark", result: "match" }),
        );
      }
    });

    it("trusts old and new images with a new signing certificate", async () => {
      const older = await makeImage();
      const { certificateChainPem, privateKeyPem, rootPem } = await createDevelopmentCertificates();
      const oldChain = settings["SIGNING_CERTIFICATE_CHAIN"] ?? "";
      const changes = {
        SIGNING_CERTIFICATE_CHAIN: certificateChainPem,
        SIGNING_PRIVATE_KEY: privateKeyPem,
        SIGNING_TRUST_ANCHORS: `${rootPem}\n${settings["SIGNING_TRUST_ANCHORS"]}`,
        OLD_SIGNING_CERTIFICATES: oldChain,
      };
      const failed = await failuresDuring(async () => {
        await restart({ SIGNING_TRUST_ANCHORS: changes.SIGNING_TRUST_ANCHORS });
        await restart(changes);
      });
      expect(failed).toEqual([]);
      for (const bytes of [older, await makeImage()]) {
        expect(await verify(bytes)).toMatchObject({
          verdict: "made_here",
          signer: { trusted: true },
        });
      }
    });

    it("changes the role of Postgres, and the old one cannot connect", async () => {
      const url = settings["DATABASE_URL"] ?? "";
      const { username } = new URL(url);
      const [first, second] = [1, 2].map((n) => `rotated_${n}_${crypto.randomUUID().slice(0, 8)}`);
      const urlOf = (role = "") => withCredentials(url, role, role);
      const createRole = async (role = "") => {
        await stack.database.query(
          `CREATE ROLE "${role}" LOGIN PASSWORD '${role}' IN ROLE "${username}"`,
        );
        await stack.database.query(`ALTER ROLE "${role}" SET role = '${username}'`);
      };
      const failed = await failuresDuring(async () => {
        await createRole(first);
        await restart({ DATABASE_URL: urlOf(first) });
        await createRole(second);
        await restart({ DATABASE_URL: urlOf(second) });
        await stack.database.query(`ALTER ROLE "${first}" NOLOGIN`);
      });
      expect(failed).toEqual([]);
      const outdated = createDatabase({ url: urlOf(first), poolSize: 1, applicationName: "test" });
      await expect(outdated.check()).rejects.toThrow("not permitted to log in");
      await outdated.close();
      const [{ sessions } = { sessions: 0 }] = await stack.database.query<{ sessions: number }>(
        "SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE usename = $1",
        [second],
      );
      expect(sessions).toBeGreaterThan(0);
      await restart({ DATABASE_URL: url });
      await stack.database.query(`DROP ROLE "${first}", "${second}"`);
    });

    it("changes the password of Redis, and the old one is refused", async () => {
      const failed = await failuresDuring(async () => {
        await redis.call("ACL", "SETUSER", redisUser, ">new");
        await restart({
          QUEUE_URL: withCredentials(settings["QUEUE_URL"] ?? "", redisUser, "new"),
        });
        await redis.call("ACL", "SETUSER", redisUser, "<old");
      });
      expect(failed).toEqual([]);
      const old = withCredentials(settings["QUEUE_URL"] ?? "", redisUser, "old");
      const opening = createQueues({ url: old, lanes: [], onError: () => undefined });
      await expect(opening).rejects.toThrow("WRONGPASS");
    });

    it("changes the keys of S3, and URLs that were signed before are valid", async () => {
      const response = await send("POST", "/v1/generate/image", image);
      const { image_url } = (await response.json()) as { image_url: string };
      const url = settings["STORAGE_URL"] ?? "";
      const second = url.replace("test%3Atester", "test%3Asecond");
      expect(second).not.toBe(url);
      expect(await failuresDuring(() => restart({ STORAGE_URL: second }))).toEqual([]);
      expect((await fetch(image_url)).status).toBe(200);
      const { status } = await send("POST", "/v1/generate/image", image);
      expect(status).toBe(200);
    });
  },
);

it("signs URLs of files with a new URL_SIGNING_SECRET, and refuses URLs signed with the old one", async () => {
  const stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    environment: { URL_SIGNING_SECRET: secretOf("signing", 1) },
  });
  const account = await stack.createAccount();
  const changed = { URL_SIGNING_SECRET: secretOf("signing", 2) };
  const body = { model: "fake-blind", prompt: "a lighthouse" };
  const generated = await stack.request(account, "POST", "/v1/generate/image", body);
  expect(generated.status).toBe(200);
  const { id, image_url } = (await generated.json()) as { id: string; image_url: string };
  const { url } = await startSecondApi(stack, changed);
  const read = (address: string) =>
    fetch(url + new URL(address).pathname + new URL(address).search);
  const headers = { Authorization: `Bearer ${account.key}` };
  const found = job.parse(await (await fetch(`${url}/v1/jobs/${id}`, { headers })).json());
  const again = found.result !== null && "image_url" in found.result ? found.result.image_url : "";
  expect([(await read(image_url)).status, (await read(again ?? "")).status]).toEqual([403, 200]);
  await stack.stop();
}, 120_000);
