import { createKey, forgetMembers } from "@atelier/accounts";
import { mintedKey } from "@atelier/schemas";
import { assertInvariants, shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { image, readError } from "./support/client.ts";
import { addPerson, secretOf, signInWith, type Person } from "./support/people.ts";
import { signIn } from "./support/studio.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await shareStack();
});

beforeEach(async () => {
  account = await stack.createAccount("100");
});

afterAll(() => stack.stop());

const withLink = z.object({ id: z.string(), link: z.string() });
const memberList = z.object({ members: z.array(z.record(z.string(), z.unknown())) });
const ended = z.object({
  ended: z.object({ keys: z.int(), webhooks: z.int(), sessions: z.int() }),
});

const send = (method: string, path: string, body?: object) =>
  stack.request(account, method, path, body);
const add = (role: Parameters<typeof addPerson>[2], email?: string) =>
  addPerson(stack, account, role, email ?? null);

async function mint(person: Person, settings: object = {}) {
  const response = await person.ask("POST", "/v1/keys", { name: "made", ...settings });
  expect(response.status).toBe(201);
  return mintedKey.parse(await response.json());
}

async function outcomeOf(asked: Promise<Response>): Promise<string> {
  const response = await asked;
  return response.ok ? "ok" : `${response.status} ${(await readError(response)).error}`;
}

async function findPerson(id: string) {
  const { members } = memberList.parse(await (await send("GET", "/v1/members")).json());
  return members.find((one) => one["id"] === id);
}

describe("an invitation", () => {
  it("signs in once, as the member, with the rights of its role", async () => {
    const body = { name: "Mira", email: "Mira@Example.com", role: "maker" };
    const invited = await send("POST", "/v1/members", body);
    expect(invited.status).toBe(201);
    const { id, link } = withLink.parse(await invited.json());
    expect(link).toMatch(/\/studio\/#link=/);
    expect(await findPerson(id)).toMatchObject({
      email: "mira@example.com",
      role: "maker",
      last_seen_at: null,
      disabled_at: null,
      has_identity: false,
    });
    const cookie = await signInWith(stack, link);
    const session = await stack.request(account, "GET", "/v1/members");
    expect(session.status).toBe(200);
    const shown = await fetch(`${stack.url}/studio/session`, {
      headers: { "X-Atelier-Studio": "1", Cookie: cookie },
    });
    expect(await shown.json()).toMatchObject({
      scopes: ["generate"],
      member: { id, name: "Mira", role: "maker" },
    });
    expect((await signIn(stack.url, { link: secretOf(link) })).status).toBe(401);
    expect(await findPerson(id)).toMatchObject({ last_seen_at: expect.any(String) });
  });

  it("ends when another link is created, and sessions stay", async () => {
    const { id, cookie, ask } = await add("maker");
    const first = withLink.parse(await (await send("POST", `/v1/members/${id}/link`)).json());
    const second = withLink.parse(await (await send("POST", `/v1/members/${id}/link`)).json());
    expect((await signIn(stack.url, { link: secretOf(first.link) })).status).toBe(401);
    expect(await signInWith(stack, second.link)).not.toBe("");
    expect(cookie).not.toBe("");
    expect((await ask("GET", "/v1/account")).status).toBe(200);
  });

  it("is not for an e-mail address twice, whatever its case", async () => {
    await add("maker", "mira@example.com");
    const again = { name: "Mira", email: "MIRA@example.com", role: "maker" };
    expect(await outcomeOf(send("POST", "/v1/members", again))).toBe("409 member_exists");
  });

  it("takes one of the keys of the account", async () => {
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    for (let key = 2; key <= 100; key++) {
      await createKey(stack.database, { accountId: account.accountId, name: "n", pepper });
    }
    const body = { name: "Mira", role: "maker" };
    expect(await outcomeOf(send("POST", "/v1/members", body))).toBe("409 too_many_keys");
    const { members } = memberList.parse(await (await send("GET", "/v1/members")).json());
    expect(members).toEqual([]);
  });
});

describe("a role", () => {
  it("decides on keys, settings and other members", async () => {
    const [owner, manager, maker] = [await add("owner"), await add("manager"), await add("maker")];
    const body = (role: string) => ({ name: "new", role });
    const cases: readonly [Person, string, string, object | undefined, string][] = [
      [owner, "PATCH", "/v1/account", { strictness: "liberal" }, "ok"],
      [manager, "PATCH", "/v1/account", { strictness: "liberal" }, "403 key_not_permitted"],
      [maker, "GET", "/v1/keys", undefined, "403 key_not_permitted"],
      [maker, "GET", "/v1/members", undefined, "403 key_not_permitted"],
      [manager, "POST", "/v1/keys", { name: "made" }, "ok"],
      [manager, "POST", "/v1/members", body("maker"), "ok"],
      [manager, "POST", "/v1/members", body("manager"), "403 key_not_permitted"],
      [owner, "POST", "/v1/members", body("owner"), "ok"],
      [manager, "PATCH", `/v1/members/${maker.id}`, { role: "manager" }, "403 key_not_permitted"],
      [manager, "PATCH", `/v1/members/${manager.id}`, { role: "owner" }, "403 key_not_permitted"],
      [manager, "POST", `/v1/members/${owner.id}/disable`, undefined, "403 key_not_permitted"],
      [manager, "POST", `/v1/members/${owner.id}/link`, undefined, "403 key_not_permitted"],
      [manager, "POST", `/v1/members/${manager.id}/link`, undefined, "403 key_not_permitted"],
      [manager, "POST", `/v1/keys/${account.keyId}/rotate`, undefined, "403 key_not_permitted"],
      [owner, "DELETE", `/v1/keys/${account.keyId}`, undefined, "403 key_not_permitted"],
      [manager, "POST", `/v1/keys/${manager.keyId}/rotate`, undefined, "403 key_not_permitted"],
      [manager, "DELETE", `/v1/keys/${maker.keyId}`, undefined, "403 key_not_permitted"],
      [manager, "PATCH", `/v1/keys/${maker.keyId}`, { budget: { eur: "5.00" } }, "ok"],
      [
        owner,
        "PATCH",
        `/v1/keys/${manager.keyId}`,
        { models: ["fake-blind"] },
        "403 key_not_permitted",
      ],
      [owner, "PATCH", `/v1/members/${maker.id}`, { role: "manager" }, "403 key_not_permitted"],
      [manager, "PATCH", `/v1/keys/${maker.keyId}`, { budget: null }, "ok"],
      [owner, "PATCH", `/v1/members/${maker.id}`, { role: "manager" }, "ok"],
      [maker, "GET", "/v1/keys", undefined, "ok"],
    ];
    for (const [person, method, path, sent, outcome] of cases) {
      expect([method, path, await outcomeOf(person.ask(method, path, sent))]).toEqual([
        method,
        path,
        outcome,
      ]);
    }
    await assertInvariants(stack.database);
  });

  it("manager sets shared budgets, which only makers are in", async () => {
    const [owner, manager, maker] = [await add("owner"), await add("manager"), await add("maker")];
    const made = await manager.ask("POST", "/v1/budgets", { name: "Team", eur: "5.00" });
    expect(made.status).toBe(201);
    const { id: budgetId } = z.object({ id: z.uuid() }).parse(await made.json());
    const put = (person: Person, keyId: string, budget_id: string | null) =>
      outcomeOf(person.ask("PATCH", `/v1/keys/${keyId}`, { budget_id }));
    expect(await put(owner, manager.keyId, budgetId)).toBe("403 key_not_permitted");
    expect(await put(manager, maker.keyId, budgetId)).toBe("ok");
    const promote = () =>
      outcomeOf(owner.ask("PATCH", `/v1/members/${maker.id}`, { role: "manager" }));
    expect(await promote()).toBe("403 key_not_permitted");
    expect(await put(manager, maker.keyId, null)).toBe("ok");
    expect(await promote()).toBe("ok");
    await assertInvariants(stack.database);
  });

  it("maker reads its own jobs, or all where the account says so", async () => {
    const maker = await add("maker");
    const others = await send("POST", "/v1/generate/image", image);
    const own = await maker.ask("POST", "/v1/generate/image", image);
    const ids = [others, own].map((response) => response.headers.get("X-Service-Job-Id") ?? "");
    const readable = async () =>
      Promise.all(ids.map(async (id) => (await maker.ask("GET", `/v1/jobs/${id}`)).status));
    expect(await readable()).toEqual([404, 200]);
    await send("PATCH", "/v1/account", { makers_read_all: true });
    expect(await readable()).toEqual([200, 200]);
    await assertInvariants(stack.database);
    await send("PATCH", "/v1/account", { makers_read_all: false });
    expect(await readable()).toEqual([404, 200]);
  });

  it("that is lowered takes rights from what the member created", async () => {
    const manager = await add("manager");
    const { key } = await mint(manager, { scopes: ["generate", "manage"] });
    const hook = { url: "https://example.com/hook", events: ["job.completed"] };
    expect((await manager.ask("POST", "/v1/webhooks", hook)).status).toBe(201);
    const lowered = await send("PATCH", `/v1/members/${manager.id}`, { role: "maker" });
    expect(ended.parse(await lowered.json()).ended).toMatchObject({ keys: 0, webhooks: 1 });
    expect(await outcomeOf(stack.request({ key }, "GET", "/v1/keys"))).toBe(
      "403 key_not_permitted",
    );
    expect((await stack.request({ key }, "POST", "/v1/generate/image", image)).status).toBe(200);
    await assertInvariants(stack.database);
  });

  it("owner stays with one member at least", async () => {
    const owner = await add("owner");
    for (const [method, path, body] of [
      ["POST", "/disable", undefined],
      ["DELETE", "", undefined],
      ["PATCH", "", { role: "manager" }],
    ] as const) {
      const target = `/v1/members/${owner.id}${path}`;
      expect(await outcomeOf(send(method, target, body))).toBe("409 last_owner");
      expect(await outcomeOf(owner.ask(method, target, body))).toBe("409 last_owner");
    }
    await add("owner");
    expect(await outcomeOf(owner.ask("PATCH", `/v1/members/${owner.id}`, { role: "maker" }))).toBe(
      "ok",
    );
  });
});

describe("a disabled member", () => {
  it("ends with its sessions, keys and webhooks, and does not get them back", async () => {
    const manager = await add("manager");
    const { key } = await mint(manager);
    const hook = { url: "https://example.com/hook", events: ["job.completed"] };
    await manager.ask("POST", "/v1/webhooks", hook);
    const disabled = await send("POST", `/v1/members/${manager.id}/disable`);
    expect(ended.parse(await disabled.json()).ended).toEqual({ keys: 1, webhooks: 1, sessions: 1 });
    expect(await findPerson(manager.id)).toMatchObject({ disabled_at: expect.any(String) });
    const used = () =>
      Promise.all([
        manager.ask("GET", "/v1/account").then(({ status }) => status),
        stack.request({ key }, "GET", "/v1/account").then(({ status }) => status),
      ]);
    expect(await used()).toEqual([401, 401]);
    expect(await outcomeOf(send("POST", `/v1/members/${manager.id}/link`))).toBe(
      "409 member_disabled",
    );
    const enabled = await send("POST", `/v1/members/${manager.id}/enable`);
    const { link } = withLink.parse(await enabled.json());
    expect(await used()).toEqual([401, 401]);
    expect(await signInWith(stack, link)).not.toBe("");
    expect(await findPerson(manager.id)).toMatchObject({ disabled_at: null });
    await assertInvariants(stack.database);
  });

  it("loses an event stream within a second", async () => {
    const maker = await add("maker");
    const stream = await maker.ask("GET", "/v1/events");
    expect(stream.status).toBe(200);
    const closed = stream.text().then(() => performance.now());
    await send("POST", `/v1/members/${maker.id}/disable`);
    const answeredAt = performance.now();
    expect((await closed) - answeredAt).toBeLessThan(1_000);
  });

  it("keeps no personal data when it is removed", async () => {
    const maker = await add("maker", "mira@example.com");
    expect((await send("DELETE", `/v1/members/${maker.id}`)).status).toBe(200);
    expect(await findPerson(maker.id)).toBeUndefined();
    expect((await maker.ask("GET", "/v1/account")).status).toBe(401);
    const names = await stack.database.query("SELECT name FROM api_key WHERE id = $1", [
      maker.keyId,
    ]);
    expect(names).toEqual([{ name: "removed member" }]);
    const again = { name: "Mira", email: "mira@example.com", role: "maker" };
    expect((await send("POST", "/v1/members", again)).status).toBe(201);
    await assertInvariants(stack.database);
  });
});

describe("handing over", () => {
  it("keeps keys and webhooks when their member is disabled", async () => {
    const [owner, manager] = [await add("owner"), await add("manager")];
    const { key } = await mint(manager, { scopes: ["generate"] });
    const hook = { url: "https://example.com/hook", events: ["job.completed"] };
    await manager.ask("POST", "/v1/webhooks", hook);
    const handed = await owner.ask("POST", `/v1/members/${manager.id}/hand-over`, { to: owner.id });
    expect(await handed.json()).toEqual({ keys: 1, webhooks: 1 });
    const disabled = await owner.ask("POST", `/v1/members/${manager.id}/disable`);
    expect(ended.parse(await disabled.json()).ended).toMatchObject({ keys: 0, webhooks: 0 });
    expect((await stack.request({ key }, "GET", "/v1/account")).status).toBe(200);
    await assertInvariants(stack.database);
  });

  it("is refused when a key would gain rights or work for longer", async () => {
    const [owner, manager, maker] = [await add("owner"), await add("manager"), await add("maker")];
    const { id } = await mint(manager, { scopes: ["manage"] });
    const path = `/v1/members/${manager.id}/hand-over`;
    for (const [person, to] of [
      [manager, owner],
      [owner, owner],
      [owner, maker],
    ] as const) {
      expect(await outcomeOf(person.ask("POST", path, { to: to.id }))).toBe(
        "403 key_not_permitted",
      );
    }
    await manager.ask("DELETE", `/v1/keys/${id}`);
    const hook = { url: "https://example.com/hook", events: ["account.balance_low"] };
    await manager.ask("POST", "/v1/webhooks", hook);
    expect(await outcomeOf(owner.ask("POST", path, { to: maker.id }))).toBe(
      "403 key_not_permitted",
    );
    expect(await outcomeOf(owner.ask("POST", path, { to: owner.id }))).toBe("ok");
  });
});

describe("the retention of 90 days", () => {
  const dayMs = 86_400_000;
  const age = (member: Pick<Person, "id" | "keyId">, days: number) =>
    stack.database.query(
      `WITH aged AS (UPDATE member SET created_at = created_at - $2 * interval '1 day' WHERE id = $1)
       UPDATE api_key SET revoked_at = revoked_at - $2 * interval '1 day',
                          previous_expires_at = previous_expires_at - $2 * interval '1 day' WHERE id = $3`,
      [member.id, days, member.keyId],
    );
  const invite = async (email: string, role = "maker") => {
    const response = await send("POST", "/v1/members", { name: `Canary ${email}`, email, role });
    const { id, key_id: keyId } = z
      .object({ id: z.string(), key_id: z.string() })
      .parse(await response.json());
    return { id, keyId };
  };
  const disable = (id: string) => send("POST", `/v1/members/${id}/disable`);

  it("removes invitations that nobody accepted and disabled members, and their personal data", async () => {
    const owner = await invite("owner@example.com", "owner");
    const ignored = await invite("ignored@example.com");
    const recent = await invite("recent@example.com");
    const renewed = await invite("renewed@example.com");
    const accepted = await add("maker", "accepted@example.com");
    const [left, leaving] = [await add("manager", "left@example.com"), await add("maker")];
    await mint(left);
    for (const one of [left, leaving]) expect((await disable(one.id)).status).toBe(200);
    for (const one of [owner, ignored, renewed, accepted, left]) await age(one, 91);
    for (const one of [recent, leaving]) await age(one, 89);
    expect((await send("POST", `/v1/members/${renewed.id}/link`)).status).toBe(200);

    const counts = [];
    const options = { olderThanMs: 90 * dayMs, limit: 1 };
    for (let page = 0; page < 3; page++) counts.push(await forgetMembers(stack.database, options));
    expect(counts).toEqual([1, 1, 0]);
    for (const removed of [ignored, left]) {
      expect(await findPerson(removed.id)).toBeUndefined();
      const names = await stack.database.query(
        "SELECT name, revoked_at IS NOT NULL AS ended FROM api_key WHERE id = $1",
        [removed.keyId],
      );
      expect(names).toEqual([{ name: "removed member", ended: true }]);
    }
    // The last owner stays, also without having been there.
    for (const kept of [owner, recent, renewed, accepted, leaving]) {
      expect(await findPerson(kept.id)).toMatchObject({ id: kept.id });
    }
    const exported = await (await send("GET", "/v1/account/export")).text();
    expect(exported).toContain("renewed@example.com");
    expect(exported).not.toMatch(/(ignored|left)@example/);
    expect((await accepted.ask("GET", "/v1/account")).status).toBe(200);
    await assertInvariants(stack.database);
  });

  it("begins anew when a disabled member is enabled", async () => {
    const maker = await add("maker");
    await disable(maker.id);
    await age(maker, 91);
    expect((await send("POST", `/v1/members/${maker.id}/enable`)).status).toBe(200);
    await forgetMembers(stack.database, { olderThanMs: 90 * dayMs, limit: 100 });
    expect(await findPerson(maker.id)).toMatchObject({ id: maker.id, disabled_at: null });
  });
});

it("is part of the export", async () => {
  const { id } = await add("maker", "mira@example.com");
  const text = await (await send("GET", "/v1/account/export")).text();
  const lines = text.trim().split("\n");
  const members = lines.map((line) => JSON.parse(line) as { type: string; member?: unknown });
  expect(members.filter(({ type }) => type === "member")).toMatchObject([
    { member: { id, email: "mira@example.com", role: "maker" } },
  ]);
});
