import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "@atelier/database";
import { sendHeaders } from "./requests-in-flight.ts";

/** A service, and a key of the operator without limits, which acts on members of its account. */
interface Target {
  readonly url: string;
  readonly key: string;
}

/** A manager whose requests were in flight when it lost its rights, and the key that it had created. */
interface Leaver {
  readonly change: Change;
  /** The keys with which it may not have a job that it had not before the change. */
  readonly keyIds: readonly string[];
  /** Jobs that were accepted with these keys before the change. */
  readonly jobs: number;
}

/** Rounds of members who lose rights while they send requests. */
export interface MemberRounds {
  /** Requests that were in flight. */
  readonly requests: () => number;
  /** Ends after the current round. @returns one line for each right that a member had and should not have. */
  stop(sql: Sql): Promise<readonly string[]>;
}

/** How a manager loses rights. A lower role takes all but that to request images. */
const changes = ["disable", "remove", "lower", "hand over"] as const;
type Change = (typeof changes)[number];

const inFlight = 4;
/** Time for the headers to arrive, and between rounds and attempts. */
const headersMs = 500;
const pauseMs = 1_000;

/** Requests that no maker may send, and that change nothing when they are refused. */
const ofManagers = [
  ["GET", "/v1/keys", undefined],
  ["GET", "/v1/members", undefined],
  ["POST", "/v1/members", { name: "beyond", role: "maker" }],
  ["PATCH", "/v1/account", { strictness: "liberal" }],
] as const;

/**
 * Starts rounds: an owner, a manager and a maker are invited; the manager signs in, creates a key and requests images;
 * while more requests are in flight, it is disabled, removed, made a maker, or hands over and is disabled.
 *
 * @param patienceMs how long the last round may take.
 */
export function startMembers({ url, key }: Target, patienceMs: number): MemberRounds {
  const problems: string[] = [];
  const leavers: Leaver[] = [];
  let requests = 0;
  /** When requests that get no response are given up, by `performance.now()`. */
  let endsAt = Number.POSITIVE_INFINITY;
  const stopping = new AbortController();

  const ofKey = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  const ofSession = (cookie: string) => ({
    Cookie: cookie,
    "X-Atelier-Studio": "1",
    "Sec-Fetch-Site": "same-origin",
  });
  const send = (
    headers: Readonly<Record<string, string>>,
    method: string,
    path: string,
    body?: object,
  ) =>
    fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });

  /**
   * Repeats a request until it gets one of these statuses. A repeated invitation invites another member.
   *
   * @throws Error when the time is over.
   */
  async function until(
    statuses: readonly number[],
    ...request: Parameters<typeof send>
  ): Promise<Response> {
    const [, method, path] = request;
    let last = "no response";
    while (performance.now() < endsAt) {
      try {
        const response = await send(...request);
        if (statuses.includes(response.status)) return response;
        last = `${response.status} ${await response.text()}`;
      } catch (error) {
        // The service is not there for a while.
        last = String(error);
      }
      await delay(pauseMs);
    }
    throw new Error(`${method} ${path} of a member: ${last}`);
  }

  const admin = ofKey(key);
  const act = (member: Linked, method: string, action = "", body?: object) =>
    until([200, 404, 409], admin, method, `/v1/members/${member.id}${action}`, body);

  async function invite(role: string): Promise<Linked> {
    const response = await until([201], admin, "POST", "/v1/members", { name: `a ${role}`, role });
    return (await response.json()) as Linked;
  }

  /** Signs in; a link whose response was lost is replaced. */
  async function signIn(member: Linked): Promise<string> {
    const link = member.link.split("#link=")[1];
    const headers = { "X-Atelier-Studio": "1", "Sec-Fetch-Site": "same-origin" };
    const response = await until([204, 401], headers, "POST", "/studio/session", { link });
    const cookie = response.headers.get("Set-Cookie")?.split(";")[0];
    if (response.status === 204 && cookie !== undefined) return cookie;
    const renewed = await until([200], admin, "POST", `/v1/members/${member.id}/link`);
    return signIn((await renewed.json()) as Linked);
  }

  const idempotent = () => ({ "Idempotency-Key": randomUUID() });

  async function runRound(change: Change): Promise<void> {
    const [owner, manager, maker] = [
      await invite("owner"),
      await invite("manager"),
      await invite("maker"),
    ];
    const session = ofSession(await signIn(manager));
    const wanted = { name: "of a manager", scopes: ["generate"] };
    const minted = await until([201], session, "POST", "/v1/keys", wanted);
    const created = (await minted.json()) as { readonly id: string; readonly key: string };
    const credentials = [session, ofKey(created.key)];
    for (const credential of credentials) {
      const image = { model: "builtin-pattern", prompt: "a request of a member" };
      const headers = { ...credential, ...idempotent(), Prefer: "respond-async" };
      await until([200, 202], headers, "POST", "/v1/generate/image", image);
    }
    const opened = credentials.map((credential) =>
      Array.from({ length: inFlight }, () => sendHeaders(url, { ...credential, ...idempotent() })),
    );
    await delay(headersMs);

    if (change === "hand over") await act(manager, "POST", "/hand-over", { to: owner.id });
    if (change === "remove") await act(manager, "DELETE");
    else if (change === "lower") await act(manager, "PATCH", "", { role: "maker" });
    else await act(manager, "POST", "/disable");

    const statuses = await Promise.all(
      opened.map((ones) => {
        for (const { finish } of ones) finish();
        return Promise.all(ones.map(({ status }) => status));
      }),
    );
    requests += 2 * inFlight;
    const [ofManager = [], ofCreated = []] = statuses.map((all) =>
      all.filter((status) => status === 200 || status === 202),
    );
    const hasEnded = { session: change !== "lower", key: !["lower", "hand over"].includes(change) };
    const accepted =
      (hasEnded.session ? ofManager.length : 0) + (hasEnded.key ? ofCreated.length : 0);
    if (accepted > 0)
      problems.push(`${accepted} requests of a member were accepted after ${change}`);
    if (hasEnded.session) {
      const keyIds = [manager.key_id, ...(hasEnded.key ? [created.id] : [])];
      leavers.push({ change, keyIds, jobs: keyIds.length });
    }
    await checkRights(change, session);
    // The owner of the first round stays: it is the last one.
    for (const member of [manager, maker, owner]) await act(member, "DELETE");
  }

  /** Checks that a former manager is refused what only managers may do. */
  async function checkRights(change: Change, session: Readonly<Record<string, string>>) {
    for (const [method, path, body] of ofManagers) {
      const response = await send(session, method, path, body).catch(() => null);
      await response?.body?.cancel();
      if (response?.ok) problems.push(`a member had ${method} ${path} after ${change}`);
    }
  }

  const rounds = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      await runRound(changes[round % changes.length] ?? "disable");
      await delay(pauseMs);
    }
  })().catch((error: unknown) => void problems.push(String(error)));

  return {
    requests: () => requests,
    async stop(sql) {
      stopping.abort();
      endsAt = performance.now() + patienceMs;
      await rounds;
      for (const { change, keyIds, jobs } of leavers) {
        const stored = await sql.query("SELECT FROM generation WHERE key_id = ANY ($1::uuid[])", [
          keyIds,
        ]);
        if (stored.length > jobs) {
          problems.push(`a member has ${stored.length - jobs} jobs too many after ${change}`);
        }
      }
      return problems;
    },
  };
}

/** An invited member. */
interface Linked {
  readonly id: string;
  readonly key_id: string;
  readonly link: string;
}
