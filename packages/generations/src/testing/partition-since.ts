import type { Database } from "@atelier/database";
import { idAt } from "../id-range.ts";
import { createPartitions } from "../partitions/create-partitions.ts";
import { partitionedTables } from "../partitions/partitioned-tables.ts";

/** Gives an empty database partitions for each month since a time, as an older one would have. */
export async function partitionSince(database: Database, time: number): Promise<void> {
  await database.transaction(async (sql) => {
    for (const { name } of partitionedTables) {
      await sql.query(`ALTER TABLE ${name} DETACH PARTITION ${name}_first`);
      await sql.query(
        `ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES FROM (MINVALUE) TO ('${idAt(time)}')`,
      );
    }
  });
  await createPartitions(database);
}
