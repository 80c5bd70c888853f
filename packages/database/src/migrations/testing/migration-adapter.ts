import type { EventEmitter } from "node:events";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import pg from "pg";
import { withoutTimeouts } from "../../statement-timeouts.ts";

const charTypeId = 18;
const textTypeId = 25;

/**
 * Prisma's Postgres adapter as the schema engine needs it to compare schemas. Three things differ
 * from the adapter as it comes (7.10): the engine reads columns of Postgres's internal type `"char"`,
 * which the adapter does not know; scripts are cut at every semicolon, also within a function's body;
 * and a shadow database named beside a connection string is ignored, so that the engine would work
 * on the real one.
 */
export function createMigrationAdapter(databaseUrl: string): {
  factory: SqlMigrationAwareDriverAdapterFactory;
  /** Ends the connections that the engine leaves open. */
  close(): Promise<void>;
} {
  const pools: pg.Pool[] = [];

  async function open(database: string | null) {
    const charColumns = new Set<number>();
    const connectionString = withDatabase(databaseUrl, database);
    const pool = new pg.Pool({ connectionString, max: 1, options: withoutTimeouts });
    pools.push(pool);
    pool.on("connect", (client) => noteCharColumns(client, charColumns));
    // Dropping the shadow database ends its connection.
    pool.on("error", () => undefined);
    const adapter = await new PrismaPg(pool).connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of charColumns) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    // One simple query: Postgres reads the script itself, and runs it as one transaction.
    adapter.executeScript = async (script) => void (await pool.query(script));
    return adapter;
  }

  const openMain = () => open(null);
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: openMain,
    async connectToShadowDb() {
      const name = `atelier_shadow_${crypto.randomUUID()}`;
      const admin = await openMain();
      await admin.executeScript(`CREATE DATABASE "${name}"`);
      const shadow = await open(name);
      shadow.dispose = () => admin.executeScript(`DROP DATABASE "${name}" WITH (FORCE)`);
      return shadow;
    },
  };
  return {
    factory,
    close: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

/** The same connection URL with another database name. */
function withDatabase(databaseUrl: string, database: string | null): string {
  if (database === null) return databaseUrl;
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Lets the adapter read `"char"` columns as text, and remembers which ones the last answer had. */
function noteCharColumns(client: pg.ClientBase, charColumns: Set<number>): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.prependListener("rowDescription", ({ fields }: { fields: pg.FieldDef[] }) => {
    charColumns.clear();
    for (const [index, field] of fields.entries()) {
      if (field.dataTypeID !== charTypeId) continue;
      field.dataTypeID = textTypeId;
      charColumns.add(index);
    }
  });
}
