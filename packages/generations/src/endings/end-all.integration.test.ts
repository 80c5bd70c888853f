import { afterAll, beforeAll, expect, it } from "vitest";
import { cancelAllRequested } from "./cancel-all-requested.ts";
import { failAllOverdue } from "./fail-overdue.ts";
import { openFixture, type AcceptedGeneration, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.database.query(`CREATE TABLE unchangeable (id uuid)`);
  await fixture.database.query(
    `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'job % cannot be changed', OLD.id; END $$`,
  );
  await fixture.database.query(
    `CREATE FUNCTION is_unchangeable(uuid) RETURNS boolean LANGUAGE sql AS
     'SELECT EXISTS (SELECT FROM unchangeable WHERE id = $1)'`,
  );
  await fixture.database.query(
    `CREATE TRIGGER refuse BEFORE UPDATE OF status ON generation FOR EACH ROW
     WHEN (is_unchangeable(OLD.id)) EXECUTE FUNCTION refuse_change()`,
  );
});

afterAll(() => fixture.close());

/** Accepts three jobs, the first of which cannot be ended. */
async function acceptThree(change: string): Promise<AcceptedGeneration[]> {
  const jobs = [await fixture.accept(), await fixture.accept(), await fixture.accept()];
  const ids = jobs.map(({ generationId }) => generationId);
  await fixture.database.query(`UPDATE generation SET ${change} WHERE id = ANY ($1)`, [ids]);
  await fixture.database.query("INSERT INTO unchangeable VALUES ($1)", [ids[0]]);
  return jobs;
}

async function statusesOf(jobs: readonly AcceptedGeneration[]): Promise<string[]> {
  const rows = await fixture.database.query<{ status: string }>(
    "SELECT status FROM generation WHERE id = ANY ($1) ORDER BY id",
    [jobs.map(({ generationId }) => generationId)],
  );
  return rows.map(({ status }) => status);
}

it("fails all other overdue jobs when one cannot be failed, and names that one", async () => {
  const jobs = await acceptThree("deadline_at = now() - interval '1 minute'");
  const failed = failAllOverdue(fixture.database);
  await expect(failed).rejects.toThrow(`job ${jobs[0]?.generationId} cannot be changed`);
  expect(await statusesOf(jobs)).toEqual(["pending", "failed", "failed"]);
});

it("cancels all other jobs as requested when one cannot be cancelled, and names that one", async () => {
  const jobs = await acceptThree("cancel_requested_at = now()");
  const cancelled = cancelAllRequested(fixture.database);
  await expect(cancelled).rejects.toThrow(`job ${jobs[0]?.generationId} cannot be changed`);
  expect(await statusesOf(jobs)).toEqual(["pending", "cancelled", "cancelled"]);
});
