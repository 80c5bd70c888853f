import { authenticate, type Caller } from "@atelier/accounts";
import { mintedKey, webhookWithSecret, type KeyScope } from "@atelier/schemas";
import type { Stack } from "@atelier/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { image } from "./support/client.ts";
import { choose, pick, startForGames } from "./support/games.ts";

let stack: Stack;
let pepper: string;

beforeAll(async () => {
  stack = await startForGames();
  pepper = stack.environment["KEY_PEPPER"] ?? "";
});

afterAll(() => stack.stop());

const hour = 3_600_000;

/** Settings of a key as in a request body; hours from now instead of a time. */
interface Settings {
  readonly scopes?: readonly KeyScope[];
  readonly models?: readonly string[] | null;
  readonly budget?: { readonly eur: string } | null;
  readonly expiresInHours?: number | null;
}

const settings: fc.Arbitrary<Settings> = fc.record(
  {
    scopes: fc.subarray<KeyScope>(["generate", "read", "manage"], { minLength: 1 }),
    models: fc.option(fc.subarray(["fake-blind", "fake-resumable"], { minLength: 1 })),
    budget: fc.option(fc.constantFrom({ eur: "0.05" }, { eur: "9.00" }), { freq: 1 }),
    expiresInHours: fc.option(fc.integer({ min: 1, max: 9 })),
  },
  { requiredKeys: [] },
);

const graceHours = fc.constantFrom(0, 2, 168);

/** A step of the holder of the first key and of what it obtained. */
const attack = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("mint"), by: pick, settings }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("change"), by: pick, of: pick, settings }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("rotate"), by: pick, of: pick, graceHours }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revoke"), by: pick, of: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("hook"), by: pick, seesJobs: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("redirect"),
      by: pick,
      of: pick,
      seesJobs: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("use"), by: pick }) },
);

/** A step of the owner, or time that passes. */
const others = fc.oneof(
  fc.record({ kind: fc.constant("narrow"), settings }),
  fc.record({ kind: fc.constant("replace"), graceHours }),
  fc.record({ kind: fc.constant("wait"), hours: fc.integer({ min: 1, max: 3 }) }),
);

const step = fc.oneof({ weight: 6, arbitrary: attack }, { weight: 1, arbitrary: others });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const ending = fc.constantFrom("revoked", "expired", "out of time");

function bodyOf({ expiresInHours, ...rest }: Settings) {
  if (expiresInHours === undefined) return rest;
  const expires_at =
    expiresInHours === null ? null : new Date(Date.now() + expiresInHours * hour).toISOString();
  return { ...rest, expires_at };
}

/** An account with an owner, a key beside, and the first key, whose holder attacks. */
async function openGame(first: Settings) {
  const owner = await stack.createAccount("100");
  const { accountId } = owner;
  const send = (key: string, method: string, path: string, body?: object) =>
    stack.request({ key }, method, `/v1${path}`, body, { Prefer: "respond-async" });
  const mint = async (key: string, body: Settings) => {
    const response = await send(key, "POST", "/keys", { name: "key", ...bodyOf(body) });
    return response.status === 201 ? mintedKey.parse(await response.json()) : null;
  };
  const hook = async (key: string, seesJobs: boolean) => {
    const events = seesJobs ? ["job.updated"] : ["account.balance_low"];
    const url = "https://example.com/hook";
    const response = await send(key, "POST", "/webhooks", { url, events });
    return response.status === 201 ? webhookWithSecret.parse(await response.json()).id : null;
  };
  const given = await mint(owner.key, first);
  const beside = await mint(owner.key, { scopes: ["generate", "read"] });
  const owned = (await hook(owner.key, true)) ?? "";
  if (given === null || beside === null) throw new Error("not created");
  const firstPath = `/keys/${given.id}`;

  /** The keys, secrets and webhooks of the attacker. */
  const secrets = [given.key];
  const hooks: string[] = [];
  const keys = [given.id, beside.id, owner.keyId];

  async function run(now: Step): Promise<void> {
    if (now.kind === "narrow") {
      await send(owner.key, "PATCH", firstPath, bodyOf(now.settings));
    } else if (now.kind === "replace") {
      const body = { grace_hours: now.graceHours };
      await send(owner.key, "POST", `${firstPath}/rotate`, body);
    } else if (now.kind === "wait") {
      await letPass(now.hours);
    } else {
      await attackWith(choose(secrets, now.by), now);
    }
  }

  async function attackWith(key: string, now: Extract<Step, { by: number }>): Promise<void> {
    if (now.kind === "mint") {
      const minted = await mint(key, now.settings);
      if (minted === null) return;
      secrets.push(minted.key);
      keys.push(minted.id);
    } else if (now.kind === "change") {
      await send(key, "PATCH", `/keys/${choose(keys, now.of)}`, bodyOf(now.settings));
    } else if (now.kind === "rotate") {
      const body = { grace_hours: now.graceHours };
      const response = await send(key, "POST", `/keys/${choose(keys, now.of)}/rotate`, body);
      if (response.status === 200) secrets.push(mintedKey.parse(await response.json()).key);
    } else if (now.kind === "revoke") {
      await send(key, "DELETE", `/keys/${choose(keys, now.of)}`);
    } else if (now.kind === "hook") {
      const id = await hook(key, now.seesJobs);
      if (id !== null) hooks.push(id);
    } else if (now.kind === "redirect") {
      const id = choose([owned, ...hooks], now.of);
      const events = now.seesJobs ? ["job.updated"] : ["account.balance_low"];
      const body = { url: "https://example.com/mine", events, enabled: true };
      const response = await send(key, "PATCH", `/webhooks/${id}`, body);
      if (response.status === 200 && !hooks.includes(id)) hooks.push(id);
    } else {
      await send(key, "POST", "/generate/image", image);
    }
  }

  /** Moves the times of the account's keys into the past. */
  async function letPass(hours: number): Promise<void> {
    await stack.database.query(
      `UPDATE api_key SET expires_at = expires_at - $2 * interval '1 hour',
                          previous_expires_at = previous_expires_at - $2 * interval '1 hour'
        WHERE account_id = $1`,
      [accountId, hours],
    );
  }

  /** The first key as it is, ended or not. */
  async function readFirst(): Promise<Caller & { readonly isValid: boolean }> {
    const [row] = await stack.database.query<Caller & { readonly isValid: boolean }>(
      `SELECT id AS "keyId", scopes, models, expires_at AS "expiresAt",
              budget_micro_eur IS NOT NULL AS "hasBudget",
              revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS "isValid"
         FROM api_key WHERE id = $1`,
      [given?.id],
    );
    if (row === undefined) throw new Error("the first key is gone");
    return row;
  }

  /** Events that the attacker's webhooks receive of a job that the owner requests now. */
  async function countDeliveries(): Promise<number> {
    const accepted = await send(owner.key, "POST", "/generate/image", image);
    expect(accepted.status).toBe(202);
    const [row] = await stack.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_delivery
        WHERE webhook_id = ANY ($1::uuid[]) AND generation_id = $2`,
      [hooks, accepted.headers.get("X-Service-Job-Id")],
    );
    return row?.count ?? 0;
  }

  return {
    given,
    owner,
    run,
    letPass,
    readFirst,
    countDeliveries,
    /** Callers of the secrets that still work. */
    async working(): Promise<Caller[]> {
      const callers = await Promise.all(
        secrets.map((secret) => authenticate(stack.database, secret, [pepper])),
      );
      return callers.filter((caller) => caller !== null);
    },
    async end(how: string): Promise<void> {
      if (how === "revoked") {
        expect((await send(owner.key, "DELETE", firstPath)).status).toBe(200);
      } else if (how === "expired") {
        await send(owner.key, "PATCH", firstPath, { expires_at: "2026-01-01T00:00:00Z" });
      } else {
        await send(owner.key, "PATCH", firstPath, bodyOf({ expiresInHours: 200 }));
        await letPass(200);
      }
    },
    statusesOfAll: () =>
      Promise.all(secrets.map(async (secret) => (await send(secret, "GET", "/account")).status)),
  };
}

/** Games at the same time, and how many follow each other. */
const lanes = 5;
const runsPerLane = 8;

it("nobody gains a right or a second of life that the first key did not have", async () => {
  const property = () =>
    fc.asyncProperty(
      fc.oneof(fc.constant<Settings>({}), settings),
      fc.array(step, { minLength: 6, maxLength: 12, size: "max" }),
      ending,
      async (rest, steps, how) => {
        const first = {
          ...rest,
          scopes: [...new Set(["manage" as const, ...(rest.scopes ?? [])])],
        };
        const game = await openGame(first);
        for (const now of steps) {
          await game.run(now);
          const limit = await game.readFirst();
          const working = await game.working();
          if (!limit.isValid) expect(working).toEqual([]);
          for (const caller of working) {
            expect(limit.scopes).toEqual(expect.arrayContaining([...caller.scopes]));
            if (limit.models.length > 0) {
              expect(caller.models).not.toEqual([]);
              expect(limit.models).toEqual(expect.arrayContaining([...caller.models]));
            }
            if (limit.expiresAt !== null) {
              expect(Number(caller.expiresAt ?? Infinity)).toBeLessThanOrEqual(
                Number(limit.expiresAt),
              );
            }
            // A key with a budget has made no other one.
            if (limit.hasBudget)
              expect(caller).toMatchObject({ keyId: limit.keyId, hasBudget: true });
          }
          if (!limit.isValid || !limit.scopes.includes("read")) {
            expect(await game.countDeliveries()).toBe(0);
          }
          const owner = await authenticate(stack.database, game.owner.key, [pepper]);
          expect(owner).toMatchObject({ scopes: ["generate", "read", "manage"], hasBudget: false });
        }
        await game.end(how);
        expect(await game.working()).toEqual([]);
        expect(new Set(await game.statusesOfAll())).toEqual(new Set([401]));
        expect(await game.countDeliveries()).toBe(0);
      },
    );
  // Several at once, since a step mostly waits for the API.
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(property(), { numRuns: runsPerLane })),
  );
});
