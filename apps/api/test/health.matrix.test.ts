import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTcpProxy } from "@atelier/local-services";
import { selectCombinations, startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { image, readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { sendAs } from "./support/send-as.ts";

const postgresUrl = inject("postgresUrl");
const redisUrl = inject("redisUrl");
const s3Url = inject("s3Url");

const basic = (password: string) =>
  `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`;

/** Requests a page of the admin port. */
const open = ({ adminUrl }: Stack, path: string, authorization = "") =>
  fetch(adminUrl + path, { headers: { Authorization: authorization } });

/** A dependency that a test can cut off. */
interface Part {
  readonly url: string;
  cut(): void | Promise<void>;
  /** Accepts connections but never responds. */
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
    cut: () => proxy.setFault("refused"),
    hang: () => proxy.setFault("hangs"),
    restore: () => proxy.setFault(null),
  };
}

const stacks = [
  { name: "Postgres queue, files", isMissing: false, queueUrl: null, storageUrl: null },
  {
    name: "Redis queue, S3",
    isMissing: redisUrl === null || s3Url === null,
    queueUrl: redisUrl,
    storageUrl: s3Url,
  },
];

for (const { name, isMissing, queueUrl, storageUrl } of selectCombinations(stacks)) {
  describe.skipIf(isMissing)("with a stack", () => {
    describeHealth(name, queueUrl, storageUrl);
  });
}

function describeHealth(name: string, queueUrl: string | null, storageUrl: string | null): void {
  describe(`health (${name})`, () => {
    let stack: Stack;
    /** An API whose connections the test can cut, without an admin key. */
    let secondApi: Awaited<ReturnType<typeof startSecondApi>>;
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
      secondApi = await startSecondApi(stack, {
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

    const ready = () => fetch(`${secondApi.url}/readyz`);

    it("is ready while all dependencies answer", async () => {
      const response = await ready();
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        status: "ready",
        parts: { database: "ok", queue: "ok", storage: "ok" },
      });
    });

    it("shares one check between concurrent probes", async () => {
      const countChecks = async () =>
        (await secondApi.program.log()).split(`"part":"database"`).length;
      const before = await countChecks();
      database.hang?.();
      const responses = await Promise.all(Array.from({ length: 20 }, ready));
      database.restore?.();
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
      expect((await countChecks()) - before).toBe(1);
      await eventually(ready, ({ status }) => status === 200);
    });

    it("is not ready but alive while the database is unavailable, and becomes ready again", async () => {
      await database.cut();
      const response = await ready();
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
      const body = await readError(response);
      expect(body).toMatchObject({ error: "overloaded", details: { database: "unavailable" } });
      expect(JSON.stringify(body)).not.toMatch(/ECONN|ENOENT|127\.0\.0\.1|atelier_test|\/tmp/);
      expect(await (await fetch(`${secondApi.url}/healthz`)).json()).toEqual({ status: "ok" });
      database.restore?.();
      await eventually(ready, ({ status }) => status === 200);
    });

    it.each(["queue", "storage"] as const)(
      "is degraded while the %s is unavailable: reads and accepts jobs, then becomes ready again",
      async (part) => {
        const dependency = { queue, storage }[part];
        const account = await stack.createAccount();
        const send = (method: string, path: string, body?: object) =>
          sendAs(account, secondApi.url, { method, path, ...(body && { body }) });
        await dependency.cut();
        const parts = { database: "ok", queue: "ok", storage: "ok", [part]: "unavailable" };
        await eventually(
          async () => (await ready()).json(),
          (body) => (body as { status: string }).status === "degraded",
        );
        const response = await ready();
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({ status: "degraded", parts });

        const accepted = await send("POST", "/v1/generate/image", image);
        expect(accepted.status).toBe(202);
        const id = accepted.headers.get("X-Service-Job-Id");
        for (const path of ["/v1/jobs", `/v1/jobs/${id}`, "/v1/account", "/v1/models"]) {
          expect((await send("GET", path)).status).toBe(200);
        }
        expect((await send("DELETE", `/v1/jobs/${id}`)).status).toBe(200);
        if (dependency.restore === undefined) return;
        dependency.restore();
        await eventually(
          async () => (await ready()).json(),
          (body) => (body as { status: string }).status === "ready",
        );
      },
    );

    describe("the admin port", () => {
      it("refuses requests without the admin key", async () => {
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
          "builtin-diagrams",
          "builtin-test",
          "fake-blind",
          "fake-resumable",
        ]);
      });

      it("reports costs for the admin key", async () => {
        expect((await open(stack, "/costs", "")).status).toBe(401);
        const report = await open(stack, "/costs?group_by=day", basic(stack.adminKey));
        expect(await report.json()).toMatchObject({ group_by: "day", total: { unknown_costs: 0 } });
        const wrong = await open(stack, "/costs?group_by=colour", basic(stack.adminKey));
        expect(wrong.status).toBe(422);
        const daysOf = (from: string) => `/costs?from=${from}&to=2026-03-31`;
        const quarter = await open(stack, daysOf("2025-12-30"), basic(stack.adminKey));
        expect(quarter.status).toBe(200);
        for (const from of ["2025-12-29", "2026-04-01"]) {
          const refused = await open(stack, daysOf(from), basic(stack.adminKey));
          expect(refused.status).toBe(422);
          expect(await refused.text()).toContain("at most 91 days");
        }
      });

      it("refuses cross-site requests that carry the browser's saved password", async () => {
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

      it("is not reachable on the public port", async () => {
        for (const path of ["/queues", "/queues/api/queues", "/metrics", "/admin"]) {
          const response = await fetch(stack.url + path, {
            headers: { Authorization: basic(stack.adminKey) },
          });
          expect(response.status).toBe(404);
          expect((await readError(response)).error).toBe("not_found");
        }
      });

      it("stays closed when no admin key is set", async () => {
        expect(await secondApi.program.log()).toMatch(/"adminPort":null,.*"api ready"/);
      });
    });
  });
}
