import { beginErasure } from "@atelier/accounts";
import { quotas } from "@atelier/schemas";
import type { NewPreset, PresetValues } from "@atelier/schemas/endpoints";
import { afterAll, beforeAll, expect, it } from "vitest";
import { losingResponses, openFixture, type Fixture } from "../testing/fixture.ts";
import { createSavedItems } from "./items.ts";

const presets = createSavedItems<PresetValues>("presets", {
  operation: true,
  request: true,
  picture: true,
});

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const cover: NewPreset = { name: "Cover", operation: "image", request: { aspect_ratio: "3:4" } };

async function save(accountId: string, preset = cover, database = fixture.database) {
  return presets.save(database, await fixture.callerOf(accountId), preset);
}

const list = (accountId: string, page: object = {}) =>
  presets.list(fixture.database, { accountId, mode: "live", beforeId: null, limit: 10, ...page });

it("is replaced by another of its name, and listed once, until it is deleted", async () => {
  const accountId = await fixture.makeAccount();
  const database = losingResponses(fixture.database);
  const { item: first } = await save(accountId, cover, database);
  const other = (await save(accountId, { ...cover, name: "Page" })).item;
  const replaced = await save(accountId, { ...cover, operation: "edit", request: { seed: 1 } });
  expect(replaced.isNew).toBe(false);
  expect(replaced.item).toMatchObject({ id: first.id, operation: "edit", request: { seed: 1 } });
  expect(await list(accountId)).toEqual([other, replaced.item]);
  expect(await list(accountId, { beforeId: other.id })).toEqual([replaced.item]);
  expect(await list(accountId, { mode: "test" })).toEqual([]);
  expect(await list(await fixture.makeAccount())).toEqual([]);
  await presets.remove(database, await fixture.callerOf(accountId), first.id);
  expect(await list(accountId)).toEqual([other]);
  const stranger = await fixture.callerOf(await fixture.makeAccount());
  for (const [caller, id] of [
    [await fixture.callerOf(accountId), first.id],
    [stranger, other.id],
  ] as const) {
    await expect(presets.remove(fixture.database, caller, id)).rejects.toMatchObject({
      code: "preset_not_found",
    });
  }
});

it("is replaced by another Unicode form of its name", async () => {
  const accountId = await fixture.makeAccount();
  const { item: old } = await save(accountId, { ...cover, name: "Cafe\u0301" });
  const { item: preset, isNew } = await save(accountId, {
    ...cover,
    name: "Caf\u00e9",
    operation: "edit",
  });
  expect(isNew).toBe(false);
  expect(preset).toMatchObject({ id: old.id, operation: "edit" });
  expect(await list(accountId)).toEqual([preset]);
});

it("is refused beyond the limit, also with concurrent requests, and still replaced", async () => {
  const accountId = await fixture.makeAccount();
  await fixture.database.query(
    `INSERT INTO preset (id, account_id, mode, name, operation, request)
     SELECT gen_random_uuid(), $1, 'live', 'p' || n, 'image', '{}' FROM generate_series(2, $2) AS n`,
    [accountId, quotas.presets.live],
  );
  const results = await Promise.allSettled([
    save(accountId),
    save(accountId, { ...cover, name: "Page" }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "too_many_items", details: { max_items: quotas.presets.live } },
  });
  expect((await save(accountId, { ...cover, name: "p2" })).isNew).toBe(false);
});

it("ends with the account", async () => {
  const accountId = await fixture.makeAccount();
  const { id } = (await save(accountId)).item;
  await beginErasure(fixture.database, accountId);
  expect(await presets.find(fixture.database, { accountId, mode: null, id })).toBeNull();
});
