import type { Stack } from "@atelier/testing";

/** Makes the fake provider hold its next call until the test releases it. */
export function holdNextCall({ provider }: Stack): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const next = provider.calls.length + 1;
  provider.behave(async (_call, count) => {
    if (count === next) await promise;
    return { kind: "image" };
  });
  return { release: resolve };
}

/** Makes the fake provider hold all calls until the test releases them. */
export function holdCalls({ provider }: Stack): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.behave(async () => {
    await promise;
    return { kind: "image" };
  });
  return { release: resolve };
}

/** Terminates every connection to the service's database except the test's own. */
export async function cutConnections({ database }: Stack): Promise<void> {
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name <> 'test'`,
  );
}

/** Reads all rows about jobs and money. */
export async function everyRow({ database }: Stack): Promise<Readonly<Record<string, unknown>>> {
  const tables = [
    "account",
    "generation",
    "render",
    "image",
    "provider_call",
    "moderation_decision",
    "ledger_transfer",
    "ledger_entry",
    "hold",
  ];
  const contents = tables.map(async (table) => [
    table,
    await database.query(`SELECT to_jsonb(t) AS row FROM ${table} AS t ORDER BY to_jsonb(t)`),
  ]);
  return Object.fromEntries(await Promise.all(contents));
}
