import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTcpProxy } from "@atelier/test-services";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startApiBeside } from "./support/api-beside.ts";
import { readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const postgresUrl = inject("postgresUrl");
const redisUrl = inject("redisUrl");
const s3Url = inject("s3Url");

const basic = (password: string) =>
  `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`;

/** Opens a page of the admin port. */
const open = ({ adminUrl }: Stack, path: string, authorization = "") =>
  fetch(adminUrl + path, { headers: { Authorization: authorization } });

/** A part that a test can take away. */
interface Part {
  readonly url: string;
  cut(): void | Promise<void>;
  /** Has it take connections and answer nothing. */
  hang?(): void;
  restore?(): void;
  stop(): Promise<unknown>;
}

async function startFiles(): Promise<Part> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-files-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  return { url: `file:${directory}`, cut: remove, stop: remove };
}

async function startProxied(serviceUrl: string): Promise<Part> {
  const proxy = await startTcpProxy(serviceUrl);
  return {
    ...proxy,
    cut: () => proxy.trouble("away"),
    hang: () => proxy.trouble("hangs"),
    restore: () => proxy.trouble(null),
  };
}

describeHealth("Postgres queue, files", null, null);
describe.skipIf(redisUrl === null || s3Url === null)("with Redis and S3", () => {
  describeHealth("Redis queue, S3", redisUrl, s3Url);
});

function describeHealth(name: string, queueUrl: string | null, storageUrl: string | null): void {
  describe(`health (${name})`, () => {
    let stack: Stack;
    /** An API that reaches everything through what a test can cut, and has no admin key. */
    let beside: Awaited<ReturnType<typeof startApiBeside>>;
    let database: Part;
    let queue: Part;
    let storage: Part;

    beforeAll(async () => {
      stack = await startStack({ postgresUrl, redisUrl: queueUrl, s3Url: storageUrl, workers: 0 });
      const [own] = await stack.database.query<{ name: string }>(
        "SELECT current_database() AS name",
      );
      const databaseUrl = new URL(postgresUrl);
      databaseUrl.pathname = `/${own?.name}`;
      database = await startProxied(databaseUrl.href);
      queue = await startProxied(queueUrl ?? databaseUrl.href);
      storage = await (storageUrl === null ? startFiles() : startProxied(storageUrl));
      beside = await startApiBeside(stack, {
        DATABASE_URL: database.url,
        QUEUE_URL: queue.url,
        STORAGE_URL: storage.url,
        ADMIN_KEY: "",
      });
    });

    afterAll(async () => {
      await stack.stop();
      await Promise.all([database, queue, storage].map((part) => part.stop()));
    });

    const ready = () => fetch(`${beside.url}/readyz`);

    it("is ready while everything answers", async () => {
      const response = await ready();
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        status: "ok",
        database: "ok",
        queue: "ok",
        storage: "ok",
      });
    });

    it("is looked at once at a time, however many ask", async () => {
      const looks = async () => (await beside.program.log()).split(`"part":"database"`).length;
      const before = await looks();
      database.hang?.();
      const responses = await Promise.all(Array.from({ length: 20 }, ready));
      database.restore?.();
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
      expect((await looks()) - before).toBe(1);
      await eventually(ready, ({ status }) => status === 200);
    });

    it.each(["database", "queue", "storage"] as const)(
      "is not ready without its %s, lives on, and is ready again with it",
      async (part) => {
        const taken = { database, queue, storage }[part];
        await taken.cut();
        const response = await ready();
        expect(response.status).toBe(503);
        expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
        const body = await readError(response);
        expect(body).toMatchObject({
          error: "overloaded",
          details: { database: "ok", queue: "ok", storage: "ok", [part]: "unavailable" },
        });
        expect(JSON.stringify(body)).not.toMatch(/ECONN|ENOENT|127\.0\.0\.1|atelier_test|\/tmp/);
        expect(await (await fetch(`${beside.url}/healthz`)).json()).toEqual({ status: "ok" });
        if (taken.restore === undefined) return;
        taken.restore();
        await eventually(ready, ({ status }) => status === 200);
      },
    );

    describe("the admin port", () => {
      it("is shut to everybody without the admin key", async () => {
        const { key } = await stack.createAccount();
        for (const path of ["/", "/queues", "/queues/api/queues", "/metrics", "/nothing"]) {
          for (const authorization of ["", basic("wrong"), basic(key), `Bearer ${key}`]) {
            const response = await open(stack, path, authorization);
            expect(response.status).toBe(401);
            expect(response.headers.get("WWW-Authenticate")).toMatch(/^Basic realm=/);
            expect(await response.text()).not.toContain("fake-blind");
          }
        }
      });

      it("shows Bull Board with the queue of every lane", async () => {
        const page = await open(stack, "/queues", basic(stack.adminKey));
        expect(page.status).toBe(200);
        expect(page.headers.get("Content-Type")).toContain("text/html");
        const queues = await open(stack, "/queues/api/queues", `Bearer ${stack.adminKey}`);
        expect(queues.status).toBe(200);
        const answer = (await queues.json()) as { queues: { name: string }[] };
        expect(answer.queues.map((lane) => lane.name).sort()).toEqual([
          "builtin",
          "fake-blind",
          "fake-resumable",
        ]);
      });

      it("lets no other page change queues with the password that a browser remembers", async () => {
        const pause = (site: string) =>
          fetch(`${stack.adminUrl}/queues/api/queues/fake-resumable/resume`, {
            method: "PUT",
            headers: { Authorization: basic(stack.adminKey), "Sec-Fetch-Site": site },
          });
        expect((await pause("cross-site")).status).toBe(403);
        expect((await pause("same-site")).status).toBe(403);
        expect((await pause("same-origin")).status).toBe(200);
        const page = await open(stack, "/queues", basic(stack.adminKey));
        expect(page.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
        expect(page.headers.get("X-Content-Type-Options")).toBe("nosniff");
      });

      it("has nothing of it on the public port", async () => {
        for (const path of ["/queues", "/queues/api/queues", "/metrics", "/admin"]) {
          const response = await fetch(stack.url + path, {
            headers: { Authorization: basic(stack.adminKey) },
          });
          expect(response.status).toBe(404);
          expect((await readError(response)).error).toBe("not_found");
        }
      });

      it("stays closed where there is no admin key", async () => {
        expect(await beside.program.log()).toMatch(/"adminPort":null,.*"api ready"/);
      });
    });
  });
}
