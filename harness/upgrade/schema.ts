import { createDatabase } from "@atelier/database";

/** Of the schema `public`; the queues are in another one. */
const definitions = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable
         || coalesce(' default ' || column_default, '') AS definition
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'type ' || enumtypid::regtype || ' ' || string_agg(enumlabel, ',' ORDER BY enumsortorder)
    FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
   WHERE typnamespace = 'public'::regnamespace GROUP BY enumtypid`;

/** The differences between the schemas of two databases, one sentence each. */
export async function compareSchemas(upgradedUrl: string, freshUrl: string): Promise<string[]> {
  const [upgraded, fresh] = await Promise.all([read(upgradedUrl), read(freshUrl)]);
  return [
    ...[...fresh]
      .filter((one) => !upgraded.has(one))
      .map((one) => `Only in a new database: ${one}`),
    ...[...upgraded]
      .filter((one) => !fresh.has(one))
      .map((one) => `Only after the upgrade: ${one}`),
  ];
}

async function read(url: string): Promise<ReadonlySet<string>> {
  const database = createDatabase({ url, poolSize: 1, applicationName: "upgrade" });
  try {
    const rows = await database.query<{ definition: string }>(definitions);
    return new Set(rows.map(({ definition }) => definition));
  } finally {
    await database.close();
  }
}
