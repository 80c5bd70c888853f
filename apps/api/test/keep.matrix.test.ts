import { auditFiles } from "@atelier/audit";
import { keptList } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { describeStacks, type Stack } from "@atelier/testing";
import { beforeAll, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const environment = { RETENTION_HOURS: "24", SWEEP_INTERVAL_SECONDS: "0.3" };

describeStacks("images that are kept", { environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
  });

  const ask = (method: string, path: string) => stack.request(client.account, method, path);

  async function keptFiles(): Promise<number> {
    const files = await stack.database.query("SELECT FROM kept_file WHERE account_id = $1", [
      client.account.accountId,
    ]);
    return files.length;
  }

  /** Moves the end of a job by the retention, and waits until its own files are removed. */
  async function untilSwept(jobId: string): Promise<void> {
    await stack.database.query(
      `WITH moved AS (
         UPDATE image SET created_at = image.created_at - interval '24 hours'
           FROM render WHERE render.id = render_id AND generation_id = $1)
       UPDATE generation SET completed_at = completed_at - interval '24 hours' WHERE id = $1`,
      [jobId],
    );
    await eventually(
      () =>
        stack.database.query(
          `SELECT FROM image JOIN render ON render.id = render_id
            WHERE generation_id = $1 AND removed_at IS NULL`,
          [jobId],
        ),
      (remaining) => remaining.length === 0,
    );
  }

  it("stay after the retention, until they are released", async () => {
    const jobId = await client.accept();
    await client.untilFinal(jobId);
    expect((await ask("POST", `/v1/jobs/${jobId}/keep`)).status).toBe(200);
    await eventually(
      () => client.read(jobId),
      ({ keep }) => keep?.status === "kept",
    );
    await untilSwept(jobId);

    const { result, keep } = await client.read(jobId);
    const urls = [result?.image_url, result?.formats?.webp?.url, result?.thumbnail_url];
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const bytes = new Uint8Array(await (await fetch(result?.image_url ?? "")).arrayBuffer());
    expect(bytes.byteLength).toBe(result?.formats?.png?.size_bytes);

    const list = keptList.parse(await (await ask("GET", "/v1/kept")).json());
    expect(list).toMatchObject({
      used_bytes: keep?.size_bytes,
      quota_bytes: 1_000_000_000,
      kept: [{ job_id: jobId, status: "kept", size_bytes: keep?.size_bytes }],
      next_cursor: null,
    });

    expect((await ask("DELETE", `/v1/jobs/${jobId}/keep`)).status).toBe(200);
    expect((await client.read(jobId)).result).not.toHaveProperty("image_url");
    await eventually(keptFiles, (files) => files === 0);
    await eventually(statuses, (now) => now.every((status) => status === 404));
  });

  it("are kept by a request with keep, and are the source of a later edit", async () => {
    const response = await client.generate({
      model: "builtin-illustrator",
      prompt: "a lighthouse",
      keep: true,
    });
    const { id } = (await response.json()) as { readonly id: string };
    await eventually(
      () => client.read(id),
      ({ keep }) => keep?.status === "kept",
    );
    await untilSwept(id);
    const edited = await stack.request(client.account, "POST", "/v1/generate/edit", {
      model: "builtin-illustrator",
      prompt: "the same at night",
      image: { job_id: id },
    });
    expect(edited.status).toBe(200);

    const storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: stack.url,
      signingSecret: "a secret that is only for tests and long enough",
    });
    const findings = await auditFiles(stack.database, storage, 1);
    await storage.close();
    const kept = findings.filter(({ invariant }) => invariant.includes("kept"));
    expect(kept.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(kept.some(({ checked }) => checked > 0)).toBe(true);
  });
});
