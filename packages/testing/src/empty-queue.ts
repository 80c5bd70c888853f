import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Stack } from "./stack.ts";

/** Deletes every job of the queue, as after a restart of its store without persistence. */
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
