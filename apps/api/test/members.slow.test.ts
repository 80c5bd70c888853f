import { authenticate, type Caller } from "@atelier/accounts";
import { memberRole, mintedKey, parseEur, type KeyScope, type MemberRole } from "@atelier/schemas";
import { assertInvariants, type Stack } from "@atelier/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { image } from "./support/client.ts";
import { choose, pick, startForGames } from "./support/games.ts";
import { addPerson, askWith, signInWith, type Person } from "./support/people.ts";

let stack: Stack;
let pepper: string;

beforeAll(async () => {
  stack = await startForGames();
  pepper = stack.environment["KEY_PEPPER"] ?? "";
});

afterAll(() => stack.stop());

const role = fc.constantFrom(...memberRole.options);
const scopes = fc.subarray<KeyScope>(["generate", "read", "manage"], { minLength: 1 });

/** A step of the attackers, the manager and the members that they invite, who use the credentials of all of them. */
const attack = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("invite"), by: pick, role }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("role"), by: pick, of: pick, role }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("link"), by: pick, of: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("enable"), by: pick, of: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("disable"), by: pick, of: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove"), by: pick, of: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("hand"), by: pick, of: pick, to: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("mint"), by: pick, scopes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rotate"), by: pick, of: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("widen"), by: pick, of: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("set"), by: pick }) },
);

/** A step of the owner about the manager or one of the members that it invited. */
const decision = fc.oneof(
  fc.record({ kind: fc.constant("owner hands over"), of: pick }),
  fc.record({ kind: fc.constant("owner sets"), readAll: fc.boolean() }),
  fc.record({
    kind: fc.constant("owner changes"),
    of: pick,
    role: fc.constantFrom("manager", "maker"),
  }),
  fc.record({ kind: fc.constant("owner disables"), of: pick }),
);

const step = fc.oneof({ weight: 6, arbitrary: attack }, { weight: 1, arbitrary: decision });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const linked = z.object({ id: z.uuid(), key_id: z.uuid(), link: z.string() });
const handed = z.object({ keys: z.int() });

/** A credential of the attackers that works, with the member at the root of its key. */
interface Standing extends Pick<Caller, "keyId" | "scopes"> {
  readonly role: MemberRole | null;
  readonly isDisabled: boolean | null;
}

async function openGame() {
  const account = await stack.createAccount("100");
  const { accountId } = account;
  const owner = await addPerson(stack, account, "owner");
  const beside = await addPerson(stack, account, "owner");
  const manager = await addPerson(stack, account, "manager");

  // Of the attackers.
  const secrets: string[] = [];
  const cookies: string[] = [manager.cookie];
  const members: Pick<Person, "id">[] = [manager];
  const keys = [account.keyId, owner.keyId, manager.keyId];
  const allMembers = () => [...members, owner, beside];

  /** Sends with one of the credentials. */
  function askAs(by: number, method: string, path: string, body?: object): Promise<Response> {
    const credential = choose([...cookies, ...secrets], by);
    return cookies.includes(credential)
      ? askWith(stack, credential)(method, path, body)
      : stack.request({ key: credential }, method, path, body);
  }

  /** Uses the link of a response, if the attackers got one. */
  async function takeLink(response: Response): Promise<void> {
    if (!response.ok) return;
    const { id, key_id, link } = linked.parse(await response.json());
    cookies.push(await signInWith(stack, link));
    keys.push(key_id);
    if (!members.some((member) => member.id === id)) members.push({ id });
  }

  async function takeKey(response: Response): Promise<void> {
    if (!response.ok) return;
    const { id, key } = mintedKey.parse(await response.json());
    secrets.push(key);
    if (!keys.includes(id)) keys.push(id);
  }

  /** Keys that the owner took over, which it may keep. */
  let takenOver = 0;

  const about = (id: string, action = "") => `/v1/members/${id}${action}`;

  async function run(now: Step): Promise<void> {
    if (now.kind === "owner hands over") {
      const path = about(choose(members, now.of).id, "/hand-over");
      const response = await owner.ask("POST", path, { to: owner.id });
      if (response.ok) takenOver += handed.parse(await response.json()).keys;
    } else if (now.kind === "owner sets") {
      await owner.ask("PATCH", "/v1/account", { makers_read_all: now.readAll });
    } else if (now.kind === "owner changes") {
      await owner.ask("PATCH", about(choose(members, now.of).id), { role: now.role });
    } else if (now.kind === "owner disables") {
      await owner.ask("POST", about(choose(members, now.of).id, "/disable"));
    } else if (now.kind === "invite") {
      await takeLink(await askAs(now.by, "POST", "/v1/members", { name: "new", role: now.role }));
    } else if (now.kind === "mint") {
      await takeKey(await askAs(now.by, "POST", "/v1/keys", { name: "made", scopes: now.scopes }));
    } else if (now.kind === "rotate") {
      await takeKey(await askAs(now.by, "POST", `/v1/keys/${choose(keys, now.of)}/rotate`));
    } else if (now.kind === "widen") {
      const body = { scopes: ["generate", "read", "manage"], expires_at: null };
      await askAs(now.by, "PATCH", `/v1/keys/${choose(keys, now.of)}`, body);
    } else if (now.kind === "set") {
      const changed = await askAs(now.by, "PATCH", "/v1/account", { makers_read_all: true });
      expect(changed.ok).toBe(false);
    } else {
      await actOnMember(now);
    }
  }

  async function actOnMember(now: Extract<Step, { by: number; of: number }>): Promise<void> {
    const { id } = choose(allMembers(), now.of);
    if (now.kind === "role") {
      await askAs(now.by, "PATCH", about(id), { role: now.role });
    } else if (now.kind === "hand") {
      const to = choose(allMembers(), now.to).id;
      const response = await askAs(now.by, "POST", about(id, "/hand-over"), { to });
      // The owners have no part in it.
      if (response.ok && (to === owner.id || to === beside.id)) {
        takenOver += handed.parse(await response.json()).keys;
      }
    } else if (now.kind === "remove") {
      await askAs(now.by, "DELETE", about(id));
    } else if (now.kind === "disable") {
      await askAs(now.by, "POST", about(id, "/disable"));
    } else {
      await takeLink(await askAs(now.by, "POST", about(id, `/${now.kind}`)));
    }
  }

  /** The credentials of the attackers that work, with the member at the root of each. */
  async function working(): Promise<Standing[]> {
    const callers = await Promise.all(
      secrets.map((secret) => authenticate(stack.database, secret, [pepper])),
    );
    const sessions = await Promise.all(
      cookies.map(async (cookie) => {
        const answer = await askWith(stack, cookie)("GET", "/studio/session");
        return ((await answer.json()) as { key_id: string | null }).key_id;
      }),
    );
    const ids = [...callers.map((caller) => caller?.keyId ?? null), ...sessions];
    return stack.database.query<Standing>(
      `WITH RECURSIVE line AS (
         SELECT id AS key_id, id, parent_id FROM api_key WHERE id = ANY ($1::uuid[])
         UNION ALL
         SELECT line.key_id, maker.id, maker.parent_id FROM line JOIN api_key AS maker ON maker.id = line.parent_id
       )
       SELECT line.key_id AS "keyId", key.scopes, role, root.revoked_at IS NOT NULL AS "isDisabled"
         FROM line JOIN api_key AS key ON key.id = line.key_id JOIN api_key AS root ON root.id = line.id
         LEFT JOIN member ON member.key_id = root.id
        WHERE line.parent_id IS NULL`,
      [[...new Set(ids.filter((id) => id !== null))]],
    );
  }

  const send = (method: string, path: string) => stack.request(account, method, path);

  return {
    run,
    working,
    /** Checks that the two owners, whom the attackers did not invite, keep their role. */
    async othersKeep(): Promise<void> {
      const rows = await stack.database.query(
        `SELECT role FROM member JOIN api_key ON api_key.id = key_id
          WHERE member.id = ANY ($1::uuid[]) AND revoked_at IS NULL`,
        [[owner.id, beside.id]],
      );
      expect(rows).toEqual([{ role: "owner" }, { role: "owner" }]);
      expect((await send("GET", "/v1/account")).status).toBe(200);
      const owners = await stack.database.query(
        "SELECT FROM member WHERE account_id = $1 AND role = 'owner'",
        [accountId],
      );
      expect(owners).toHaveLength(2);
    },
    /** Disables the manager and all members that the attackers invited. */
    async end(): Promise<void> {
      const rows = await stack.database.query<{ id: string }>(
        "SELECT id FROM member WHERE account_id = $1 AND role <> 'owner'",
        [accountId],
      );
      for (const { id } of rows) {
        expect((await owner.ask("POST", about(id, "/disable"))).status).toBe(200);
      }
    },
    takenOver: () => takenOver,
  };
}

/** Games at the same time, and how many follow each other. */
const lanes = 4;
const runsPerLane = 8;

it("no member gains rights beyond its role, and none of its keys works after it is disabled", async () => {
  const property = () =>
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 16, size: "max" }),
      async (steps) => {
        const game = await openGame();
        for (const now of steps) {
          await game.run(now);
          await game.othersKeep();
          for (const one of await game.working()) {
            expect(one.isDisabled).toBe(false);
            expect(one.role).not.toBeNull();
            // A key that an owner took over manages nothing.
            if (one.role === "owner") expect(one.scopes).not.toContain("manage");
            if (one.role === "maker") expect(one.scopes).not.toContain("manage");
          }
        }
        await game.end();
        const left = await game.working();
        expect(left.length).toBeLessThanOrEqual(game.takenOver());
        expect(left.filter((one) => one.role !== "owner")).toEqual([]);
      },
    );
  // Several at once, since a step mostly waits for the API.
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(property(), { numRuns: runsPerLane })),
  );
  await assertInvariants(stack.database);
});

/** The budgets of a game; an image costs 0.05 EUR. */
const budgetNames = ["A", "B"] as const;
type BudgetName = (typeof budgetNames)[number];
const budgetName = fc.constantFrom(...budgetNames);
const amount = fc.constantFrom("0.05", "0.10", "0.25");

/** A step of a maker and a key in shared budgets, and of the keys that they create. */
const spending = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("spend"), by: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel"), by: pick, of: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("move"),
      by: pick,
      of: pick,
      to: fc.option(budgetName),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("mint in"),
      by: pick,
      to: fc.option(fc.option(budgetName), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("outlive"), by: pick, of: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("renew"), by: pick, of: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("raise"), by: pick, of: budgetName }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop"), by: pick, of: budgetName }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add budget"), by: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add member"), by: pick, role }) },
);

/** A step of the owner, which never takes anybody out of the budgets. */
const budgeting = fc.oneof(
  fc.record({ kind: fc.constant("owner moves"), isMaker: fc.boolean(), to: budgetName }),
  fc.record({ kind: fc.constant("owner sets amount"), of: budgetName, eur: amount }),
  fc.record({ kind: fc.constant("owner disables maker") }),
  fc.record({ kind: fc.constant("owner enables maker") }),
);

const budgetStep = fc.oneof(
  { weight: 5, arbitrary: spending },
  { weight: 1, arbitrary: budgeting },
);
type BudgetStep = typeof budgetStep extends fc.Arbitrary<infer Value> ? Value : never;

const withId = z.object({ id: z.uuid() });
const hour = 3_600_000;

async function openBudgets() {
  const account = await stack.createAccount("100");
  const owner = await addPerson(stack, account, "owner");
  const maker = await addPerson(stack, account, "maker");
  const ids: Record<BudgetName, string> = { A: "", B: "" };
  const amounts: Record<BudgetName, bigint> = { A: 100_000n, B: 100_000n };
  for (const name of budgetNames) {
    const made = await owner.ask("POST", "/v1/budgets", { name, eur: "0.10" });
    ids[name] = withId.parse(await made.json()).id;
  }
  const idOf = (name: BudgetName | null) => (name === null ? null : ids[name]);
  await owner.ask("PATCH", `/v1/keys/${maker.keyId}`, { budget_id: ids.A });
  const expires = new Date(Date.now() + 5 * hour);
  const first = await stack.request(account, "POST", "/v1/keys", {
    name: "first",
    scopes: ["generate", "read", "manage"],
    budget_id: ids.A,
    expires_at: expires.toISOString(),
  });
  const { id: keyId, key } = mintedKey.parse(await first.json());

  // Of the attackers.
  const secrets = [key];
  const cookies = [maker.cookie];
  const keys = [account.keyId, owner.keyId, maker.keyId, keyId];
  const jobs: string[] = [];
  /** Where the owner has put the maker, and the first key with all that comes of it. */
  const places: Record<"maker" | "first", BudgetName> = { maker: "A", first: "A" };

  function askAs(by: number, method: string, path: string, body?: object): Promise<Response> {
    const credential = choose([...cookies, ...secrets], by);
    return cookies.includes(credential)
      ? askWith(stack, credential)(method, path, body)
      : stack.request({ key: credential }, method, path, body);
  }

  async function take(response: Response): Promise<void> {
    if (!response.ok) return;
    const made = mintedKey.parse(await response.json());
    secrets.push(made.key);
    if (!keys.includes(made.id)) keys.push(made.id);
  }

  async function run(now: BudgetStep): Promise<void> {
    if (now.kind === "spend") {
      const response = await askAs(now.by, "POST", "/v1/generate/image", image);
      const id = response.headers.get("X-Service-Job-Id");
      if (response.ok && id !== null) jobs.push(id);
    } else if (now.kind === "cancel") {
      if (jobs.length > 0) await askAs(now.by, "DELETE", `/v1/jobs/${choose(jobs, now.of)}`);
    } else if (now.kind === "move") {
      const body = { budget_id: idOf(now.to) };
      await askAs(now.by, "PATCH", `/v1/keys/${choose(keys, now.of)}`, body);
    } else if (now.kind === "mint in") {
      const place = now.to === undefined ? {} : { budget_id: idOf(now.to) };
      await take(await askAs(now.by, "POST", "/v1/keys", { name: "made", ...place }));
    } else if (now.kind === "outlive") {
      const body = { expires_at: null };
      await askAs(now.by, "PATCH", `/v1/keys/${choose(keys, now.of)}`, body);
    } else if (now.kind === "renew") {
      await take(await askAs(now.by, "POST", `/v1/keys/${choose(keys, now.of)}/rotate`));
    } else if (now.kind === "raise") {
      const raised = await askAs(now.by, "PATCH", `/v1/budgets/${ids[now.of]}`, { eur: "50.00" });
      expect(raised.ok).toBe(false);
    } else if (now.kind === "drop") {
      const dropped = await askAs(now.by, "DELETE", `/v1/budgets/${ids[now.of]}`);
      expect(dropped.ok).toBe(false);
    } else if (now.kind === "add budget") {
      const added = await askAs(now.by, "POST", "/v1/budgets", { name: "own", eur: "50.00" });
      expect(added.ok).toBe(false);
    } else if (now.kind === "add member") {
      const added = await askAs(now.by, "POST", "/v1/members", { name: "new", role: now.role });
      expect(added.ok).toBe(false);
    } else if (now.kind === "owner moves") {
      const target = now.isMaker ? maker.keyId : keyId;
      const moved = await owner.ask("PATCH", `/v1/keys/${target}`, { budget_id: ids[now.to] });
      if (moved.ok) places[now.isMaker ? "maker" : "first"] = now.to;
    } else if (now.kind === "owner sets amount") {
      const set = await owner.ask("PATCH", `/v1/budgets/${ids[now.of]}`, { eur: now.eur });
      expect(set.status).toBe(200);
      amounts[now.of] = parseEur(now.eur);
    } else if (now.kind === "owner disables maker") {
      await owner.ask("POST", `/v1/members/${maker.id}/disable`);
    } else {
      const enabled = await owner.ask("POST", `/v1/members/${maker.id}/enable`);
      if (enabled.ok) {
        cookies.push(await signInWith(stack, linked.parse(await enabled.json()).link));
      }
    }
  }

  /** The costs of the jobs of the attackers in each budget, and outside of the budgets. */
  async function spent(): Promise<Readonly<Record<BudgetName | "none", bigint>>> {
    const rows = await stack.database.query<{ budgetId: string | null; sum: bigint }>(
      `SELECT budget_id AS "budgetId", sum(price_micro_eur)::bigint AS sum FROM generation
        WHERE account_id = $1 AND status <> 'cancelled' GROUP BY 1`,
      [account.accountId],
    );
    const of = (id: string | null) => rows.find(({ budgetId }) => budgetId === id)?.sum ?? 0n;
    return { A: of(ids.A), B: of(ids.B), none: of(null) };
  }

  return {
    run,
    spent,
    amounts,
    jobs,
    /** Checks where the keys of the attackers are, and how long they live. */
    async keysStay(): Promise<void> {
      const rows = await stack.database.query<{ id: string; budgetId: string; expiresAt: Date }>(
        `SELECT id, budget_id AS "budgetId", expires_at AS "expiresAt" FROM api_key
          WHERE account_id = $1 AND revoked_at IS NULL AND id <> ALL ($2::uuid[])`,
        [account.accountId, [account.keyId, owner.keyId]],
      );
      for (const row of rows) {
        const isMaker = row.id === maker.keyId;
        expect(row.budgetId).toBe(ids[places[isMaker ? "maker" : "first"]]);
        if (!isMaker) expect(row.expiresAt.getTime()).toBeLessThanOrEqual(expires.getTime());
      }
    },
    /** Revokes the first key and disables the maker. @returns how many requests are accepted afterwards. */
    async end(): Promise<number> {
      await owner.ask("POST", `/v1/members/${maker.id}/disable`);
      expect((await stack.request(account, "DELETE", `/v1/keys/${keyId}`)).status).toBe(200);
      const count = cookies.length + secrets.length;
      const statuses = [];
      for (let by = 0; by < count; by++) {
        statuses.push((await askAs(by, "POST", "/v1/generate/image", image)).ok);
      }
      return statuses.filter(Boolean).length;
    },
  };
}

it("nobody in a shared budget spends a cent beyond it, leaves it or lives longer", async () => {
  let accepted = 0;
  const property = () =>
    fc.asyncProperty(
      fc.array(budgetStep, { minLength: 8, maxLength: 20, size: "max" }),
      async (steps) => {
        const game = await openBudgets();
        let before = await game.spent();
        for (const now of steps) {
          await game.run(now);
          const after = await game.spent();
          expect(after.none).toBe(0n);
          for (const name of budgetNames) {
            if (after[name] > before[name]) {
              expect(after[name]).toBeLessThanOrEqual(game.amounts[name]);
            }
          }
          before = after;
          await game.keysStay();
        }
        accepted += game.jobs.length;
        expect(await game.end()).toBe(0);
      },
    );
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(property(), { numRuns: runsPerLane })),
  );
  expect(accepted).toBeGreaterThan(lanes * runsPerLane);
  await assertInvariants(stack.database);
});
