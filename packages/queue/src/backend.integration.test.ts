import { idleConnectionMs } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { readQueueUrl } from "./backend.ts";

it.each([{ blocking: true }, { blocking: false }])(
  "commits to a queue in Postgres without waiting for the disk, %o",
  async ({ blocking }) => {
    const testDatabase = await createTestDatabase(inject("postgresUrl"));
    const client = new pg.Client(testDatabase.url);
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await testDatabase.drop();
    });
    const { rows: own } = await client.query<{ name: string }>(
      "SELECT quote_ident(current_database()) AS name",
    );
    await client.query(`ALTER DATABASE ${own[0]?.name ?? ""} SET synchronous_commit = on`);
    const { connection } = readQueueUrl(testDatabase.url, blocking);
    expect(connection).toMatchObject({ idleTimeoutMillis: idleConnectionMs });
    const queueClient = new pg.Client(connection as pg.ClientConfig);
    await queueClient.connect();
    const { rows } = await queueClient.query("SHOW synchronous_commit");
    await queueClient.end();
    expect(rows).toEqual([{ synchronous_commit: "off" }]);
  },
);
