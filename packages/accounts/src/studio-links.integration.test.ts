import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { makeKey } from "./key-format.ts";
import { createStudioLink, forgetStudioLinks, redeemStudioLink } from "./studio-links.ts";

const pepper = "a pepper of thirty-two characters";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const create = (key: string) => createStudioLink(database, { key, pepper });
const redeem = (link: string) => redeemStudioLink(database, { link, peppers: [pepper] });

/** Hours until the links in the database expire. */
const hoursLeft = async () => {
  const rows = await database.query<{ hours: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM studio_link
      ORDER BY hours`,
  );
  return rows.map(({ hours }) => hours);
};

it("gives its key to one of many that redeem it at the same time", async () => {
  const key = makeKey();
  const link = await create(key);
  const redeemed = await Promise.all(Array.from({ length: 8 }, () => redeem(link)));
  expect(redeemed.filter((one) => one === key)).toHaveLength(1);
  expect(redeemed.filter((one) => one === null)).toHaveLength(7);
  expect(await hoursLeft()).toEqual([]);
});

it("is valid for 24 hours and removed afterwards", async () => {
  const key = makeKey();
  const expired = await create(key);
  expect(await hoursLeft()).toEqual([24]);
  await database.query("UPDATE studio_link SET expires_at = now()");
  expect(await redeem(expired)).toBeNull();
  const link = await create(key);
  expect(await hoursLeft()).toEqual([0, 24]);
  await forgetStudioLinks(database);
  expect(await hoursLeft()).toEqual([24]);
  expect(await redeem(link)).toBe(key);
});
