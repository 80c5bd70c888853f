import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createPostgresBackend, createRedisBackend, Queue, type BackendFactory } from "bullmq";
import express from "express";
import pg from "pg";

/**
 * The baseline for accepting a story and reading jobs: the same framework, queue and database
 * without authentication, validation, limits, payments or logs.
 */
const databaseUrl = process.env["BARE_DATABASE_URL"] ?? "";
const queueUrl = new URL(process.env["BARE_QUEUE_URL"] ?? databaseUrl);

const pool = new pg.Pool({ connectionString: databaseUrl });
const onRedis = queueUrl.protocol === "redis:";
const queue = new Queue(
  "bare",
  {
    connection: onRedis
      ? { host: queueUrl.hostname, port: Number(queueUrl.port) }
      : { connectionString: queueUrl.href, schema: "bare", migrate: true },
  },
  onRedis ? createRedisBackend : (createPostgresBackend as unknown as BackendFactory),
);
await queue.waitUntilReady();

const app = express();
app.post("/v1/generate/story", express.json(), async (request, response) => {
  const job = await queue.add("story", request.body, { jobId: crypto.randomUUID() });
  response.status(202).json({ job_id: job.id });
});
app.get("/v1/jobs/:id", async (request, response) => {
  const { rows } = await pool.query({
    name: "job",
    text: `SELECT id, kind, status, model, created_at, started_at, completed_at
             FROM generation WHERE id = $1`,
    values: [request.params.id],
  });
  response.json(rows[0]);
});
app.get("/v1/accounts/:id/jobs", async (request, response) => {
  const { rows } = await pool.query({
    name: "jobs",
    text: `SELECT id, kind, status, model, created_at, started_at, completed_at
             FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 20`,
    values: [request.params.id],
  });
  response.json(rows);
});

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
process.once("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });
