import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Stack } from "@atelier/testing";

/** Has the provider make every image, but keep the next answer to itself until it is released. */
export function holdNextAnswer({ provider }: Stack): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const next = provider.calls.length + 1;
  provider.behave(async (_call, count) => {
    if (count === next) await promise;
    return { kind: "image" };
  });
  return { release: resolve };
}

/** Has the provider keep every answer to itself until all are released. */
export function holdAnswers({ provider }: Stack): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.behave(async () => {
    await promise;
    return { kind: "image" };
  });
  return { release: resolve };
}

/** Ends every connection to the service's database but the test's own. */
export async function cutConnections({ database }: Stack): Promise<void> {
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name <> 'test'`,
  );
}

/** As if the queue's store had been started again, or restored, without its jobs. */
export async function emptyQueue({ database }: Stack, queueUrl: string): Promise<void> {
  if (queueUrl.startsWith("redis")) return emptyRedis(queueUrl);
  await database.query("TRUNCATE bullmq.job CASCADE");
}

async function emptyRedis(redisUrl: string): Promise<void> {
  const { hostname, port, pathname, username, password } = new URL(redisUrl);
  const login = password === "" ? [] : [`AUTH ${username || "default"} ${password}`];
  const commands = [...login, `SELECT ${pathname.slice(1) || 0}`, "FLUSHDB", "QUIT"];
  const socket = connect(Number(port || 6_379), hostname);
  socket.write(commands.map((command) => `${command}\r\n`).join(""));
  const replies = await text(socket);
  if (replies !== "+OK\r\n".repeat(commands.length)) throw new Error(`Redis said: ${replies}`);
}

/** All that is known of jobs and money. */
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
