import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createAttacks, type Attack, type Shot } from "./attacks.ts";

/** Input of the attacker process. */
export interface Orders {
  readonly url: string;
  readonly keys: readonly string[];
  /** A completed job with images of the account of each key. */
  readonly jobs: readonly string[];
  readonly seed: number;
  /** The index of the attack. */
  readonly attack: number;
  readonly connections: number;
  readonly seconds: number;
}

/** Result of an attack: the number of responses by status; `none` for no response. */
export type Outcome = Readonly<Record<string, number>>;

const concurrency = 4;

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const { hostname, port } = new URL(orders.url);
const outcome: Record<string, number> = {};
const count = (event: string) => {
  outcome[event] = (outcome[event] ?? 0) + 1;
};

const attack = createAttacks(orders.seed, orders.connections)[orders.attack];
if (attack === undefined) throw new Error(`unknown attack ${orders.attack}`);
// After the attacks are created, which takes seconds on a busy machine.
const endsAt = performance.now() + orders.seconds * 1_000;
if (attack.kind === "requests") {
  await Promise.all(Array.from({ length: concurrency }, (_, index) => shoot(attack.shots, index)));
} else {
  await hold(attack);
}
process.send?.(outcome satisfies Outcome);
process.disconnect();

/** Sends requests sequentially over a connection, which is kept until the server closes it. */
async function shoot(shots: readonly Shot[], index: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let sent = index; performance.now() < endsAt; sent += 1) {
    const shot = shots[sent % shots.length];
    if (shot !== undefined) count(await send(shot, index, agent));
  }
  agent.destroy();
}

/** Replaces the key and the job of one of the attacker's accounts. */
function fillIn(text: string, index: number): string {
  const account = index % orders.keys.length;
  return text
    .replaceAll("{key}", orders.keys[account] ?? "")
    .replaceAll("{job}", orders.jobs[account] ?? "");
}

/** Replaces `{job}` in a body of JSON; forms and images are sent as they are. */
function fillInBody({ body, headers }: Shot, index: number): Buffer | null {
  if (body === null || headers["Content-Type"] !== "application/json") return body;
  return body.includes("{job}") ? Buffer.from(fillIn(body.toString(), index)) : body;
}

function fillInHeaders({ headers }: Shot): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll("{port}", port)]),
  );
}

function send(shot: Shot, index: number, agent: Agent): Promise<string> {
  const { method } = shot;
  const body = fillInBody(shot, index);
  const path = fillIn(shot.path, index);
  const headers = {
    Authorization: fillIn("Bearer {key}", index),
    ...(body === null || shot.chunked === true ? {} : { "Content-Length": body.byteLength }),
    ...fillInHeaders(shot),
  };
  return new Promise((resolve) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
      response.resume();
      response.once("close", () => resolve(String(response.statusCode)));
    });
    sent.once("error", () => resolve("none"));
    sent.end(body ?? undefined);
  });
}

/** Opens connections, and holds them for the duration of the attack. */
async function hold({
  connections,
  first,
  repeated,
  isPaused,
}: Extract<Attack, { kind: "connections" }>): Promise<void> {
  const sockets: Socket[] = [];
  while (sockets.length < connections) {
    const batch = Array.from({ length: Math.min(200, connections - sockets.length) }, () =>
      connect(Number(port), hostname),
    );
    for (const socket of batch) {
      socket.on("error", () => undefined);
      socket.once("close", () => count("closed"));
    }
    sockets.push(...batch);
    await Promise.race([
      Promise.all(batch.map((one) => once(one, "connect"))).catch(() => 0),
      delay(1_000),
    ]);
  }
  for (const [index, socket] of sockets.entries()) {
    if (isPaused === true) socket.pause();
    else socket.resume();
    if (first !== undefined && !socket.destroyed) socket.write(fillIn(first, index));
  }
  const holdsUntil = performance.now() + orders.seconds * 1_000;
  while (performance.now() < holdsUntil) {
    for (const socket of sockets) {
      if (repeated !== undefined && !socket.destroyed) socket.write(repeated);
    }
    await delay(200);
  }
  for (const socket of sockets) {
    if (!socket.destroyed) count("open");
    socket.removeAllListeners("close");
    socket.destroy();
  }
}
