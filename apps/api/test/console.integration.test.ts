import { beginErasure, setSuspended } from "@atelier/accounts";
import { auditOperatorLog, readOperatorLog } from "@atelier/audit";
import { newId } from "@atelier/database";
import { createAdminDocument } from "@atelier/openapi";
import { createDocumentChecks } from "@atelier/openapi/testing";
import { adminEndpoints, listAccountTransactions } from "@atelier/schemas/admin";
import { splitRoute, type Endpoint } from "@atelier/schemas/endpoints";
import { countStatements, shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "./support/eventually.ts";
import { serveConsoleOf, supportKey, type Console } from "./support/console.ts";
import { cookieOf, signIn as signInToStudio } from "./support/studio.ts";

const logKey = "a key of the operator log with 32 characters";
const checks = createDocumentChecks(createAdminDocument("http://localhost:3001"));

let stack: Stack;
let console: Console;
let operator: string;
let support: string;
let account: TestAccount;
let statements: ReturnType<typeof countStatements>;

beforeAll(async () => {
  stack = await shareStack();
  console = await serveConsoleOf(stack, { OPERATOR_LOG_KEY: logKey }, (database) => {
    statements = countStatements(database);
    return statements.database;
  });
  operator = await console.signIn();
  support = await console.signIn(supportKey);
});

beforeEach(async () => {
  account = await stack.createAccount();
});

afterAll(async () => {
  await console.stop();
  await stack.stop();
});

/** The endpoints that write, by their ids. */
const writes = adminEndpoints.filter((endpoint: Endpoint) => endpoint.recorded !== undefined);
const readLog = () => Array.fromAsync(readOperatorLog(stack.database, {}));

/** A completed job of the account. */
async function makeJob(): Promise<{ jobId: string; requestId: string }> {
  const requestId = `request-${newId()}`;
  const body = { model: "builtin-illustrator", prompt: "a red house by the sea" };
  const made = await stack.request(account, "POST", "/v1/generate/image", body, {
    "X-Request-Id": requestId,
  });
  expect(made.status).toBe(200);
  return { jobId: made.headers.get("X-Service-Job-Id") ?? "", requestId };
}

/** A request for each write, whose ids exist. */
async function writeRequests(): Promise<
  Readonly<Record<string, readonly [path: string, body?: object]>>
> {
  const { jobId } = await makeJob();
  const { accountId, keyId } = account;
  const own = `/admin/v1/accounts/${accountId}`;
  const booking = { eur: "1", reason: "Bank transfer" };
  return {
    createAdminAccount: [
      "/admin/v1/accounts",
      { name: "Nougat", external_id: `C-${newId()}`, credit_eur: "2" },
    ],
    changeAdminAccount: [own, { strictness: "liberal" }],
    topUpAccount: [`${own}/top-ups`, { ...booking, reference: "invoice 7" }],
    withdrawFromAccount: [`${own}/withdrawals`, { ...booking, reference: "payment 7" }],
    suspendAccount: [`${own}/suspend`, { reason: "Unpaid" }],
    resumeAccount: [`${own}/resume`, { reason: "Paid" }],
    createAccountKey: [`${own}/keys`, { name: "website" }],
    revokeAccountKey: [`/admin/v1/keys/${keyId}/revoke`],
    refundAdminJob: [
      `/admin/v1/jobs/${jobId}/refunds`,
      { reference: "complaint 7", reason: "Bad" },
    ],
    pauseLane: ["/admin/v1/lanes/builtin-test/pause"],
    resumeLane: ["/admin/v1/lanes/builtin-test/resume"],
  };
}

describe("writes of the console", () => {
  it("each leave one sealed line with actor, action, target, fields and request id", async () => {
    const requests = await writeRequests();
    expect(Object.keys(requests).toSorted()).toEqual(writes.map(({ id }) => id).toSorted());
    for (const endpoint of writes) {
      const before = await readLog();
      const [path, body] = requests[endpoint.id] ?? [""];
      const { method } = splitRoute(endpoint);
      const requestId = `write-${endpoint.id}`;
      const answer = await console.ask(operator, method, path, body, { "X-Request-Id": requestId });
      expect({ id: endpoint.id, body: answer.body, ok: answer.status < 300 }).toMatchObject({
        ok: true,
      });
      expect(checks.problemsOf(endpoint.route, answer.response, answer.body)).toEqual([]);
      const added = (await readLog()).slice(before.length);
      expect({ id: endpoint.id, added }).toMatchObject({
        added: [
          {
            actor: "console:operator-key",
            action:
              endpoint.id === "changeAdminAccount"
                ? "accounts strictness"
                : endpoint.recorded?.action,
            requestId,
            isSealed: true,
          },
        ],
      });
      expect(added[0]?.fields.length).toBeGreaterThan(0);
      expect(added[0]?.targetId).toEqual(path.includes("/lanes/") ? null : expect.any(String));
      const isOfAccount = !path.includes("/lanes/") && endpoint.id !== "createAdminAccount";
      expect({ id: endpoint.id, forgotten: console.forgotten.splice(0) }).toEqual({
        id: endpoint.id,
        forgotten: isOfAccount ? [account.accountId] : [],
      });
      if (body !== undefined && "reason" in body) {
        expect(added[0]?.values).toEqual({ reason: body.reason });
        // The export of the account has the reason, and its erasure removes it.
        expect(added[0]?.targetId).toBe(account.accountId);
      }
    }
    expect(await auditOperatorLog(stack.database, [logKey], [])).toMatchObject({ violations: 0 });
  });

  it("change no erased account, whose reasons the log no longer has", async () => {
    const requests = await writeRequests();
    const { accountId } = account;
    const [refundPath = "", refund] = requests["refundAdminJob"] ?? [];
    expect((await console.ask(operator, "POST", refundPath, refund)).status).toBe(200);
    expect(await beginErasure(stack.database, accountId)).toMatchObject({ kind: "begun" });
    expect(await auditOperatorLog(stack.database, [logKey], [])).toMatchObject({ violations: 0 });
    const before = await readLog();
    expect(before.at(-1)).toMatchObject({ targetId: accountId, values: null });
    for (const endpoint of writes) {
      const [path = "", body] = requests[endpoint.id] ?? [];
      if (path.includes("/lanes/") || endpoint.id === "createAdminAccount") continue;
      const { method } = splitRoute(endpoint);
      const answer = await console.ask(operator, method, path, body);
      expect({ id: endpoint.id, ...answer }).toMatchObject({
        status: 409,
        body: {
          error: "change_refused",
          message: expect.stringContaining("was erased"),
          details: { reason: "account_erased" },
        },
      });
    }
    expect(await readLog()).toEqual(before);
    // Also when the erasure is committed after the check.
    expect(await setSuspended(stack.database, accountId, false)).toBe(false);
  });

  it("change nothing for the role support", async () => {
    const requests = await writeRequests();
    const before = await readLog();
    for (const endpoint of writes) {
      const [path, body] = requests[endpoint.id] ?? [""];
      const { method } = splitRoute(endpoint);
      const answer = await console.ask(support, method, path, body);
      expect({ id: endpoint.id, ...answer }).toMatchObject({
        status: 403,
        body: {
          error: "not_permitted",
          message: expect.stringContaining("only read"),
          details: { reason: "read_only" },
        },
      });
    }
    expect(await readLog()).toEqual(before);
  });

  it("do not happen when the log refuses the line", async () => {
    const other = await serveConsoleOf(stack, {
      OPERATOR_LOG_KEY: "another key of 32 characters .....",
    });
    const cookie = await other.signIn();
    const requests = await writeRequests();
    // The log is sealed from its first line on.
    await console.ask(operator, "POST", "/admin/v1/lanes/builtin-test/resume");
    for (const endpoint of writes) {
      const [path, body] = requests[endpoint.id] ?? [""];
      const { method } = splitRoute(endpoint);
      const answer = await other.ask(cookie, method, path, body);
      expect({ id: endpoint.id, ...answer }).toMatchObject({
        status: 409,
        body: {
          error: "change_refused",
          message: expect.stringContaining("OPERATOR_LOG_KEY"),
          details: { reason: "log_refused" },
        },
      });
    }
    const { body } = await other.ask(cookie, "GET", `/admin/v1/accounts/${account.accountId}`);
    expect(body).toMatchObject({
      account: { status: "active", strictness: "normal" },
      keys: [{ revoked_at: null }],
    });
    await other.stop();
  });

  it("book a reference once, also when a refund is repeated", async () => {
    const { jobId } = await makeJob();
    const refund = { reference: "complaint 8", reason: "Damaged" };
    const path = `/admin/v1/jobs/${jobId}/refunds`;
    const first = await console.ask(operator, "POST", path, refund);
    const again = await console.ask(operator, "POST", path, refund);
    expect(first.body).toMatchObject({ booked: true });
    const { balance_eur } = first.body as { balance_eur: string };
    expect(again.body).toEqual({ ...(first.body as object), booked: false, balance_eur });
    const other = await console.ask(operator, "POST", path, {
      ...refund,
      reference: "complaint 9",
    });
    expect(other).toMatchObject({
      status: 409,
      body: {
        error: "change_refused",
        details: {
          reason: "not_refundable",
          charged_eur: "0.01",
          refunded_eur: "0.01",
          left_eur: "0.00",
        },
      },
    });
    const topUp = { eur: "10000.01", reference: "invoice 8", reason: "Transfer" };
    const large = await console.ask(
      operator,
      "POST",
      `/admin/v1/accounts/${account.accountId}/top-ups`,
      topUp,
    );
    expect(large).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("confirm must be true") },
    });
    const much = await console.ask(
      operator,
      "POST",
      `/admin/v1/accounts/${account.accountId}/withdrawals`,
      {
        ...topUp,
        eur: "9000",
      },
    );
    expect(much).toMatchObject({
      status: 409,
      body: {
        message: "The balance is smaller than the amount.",
        details: { reason: "balance_too_small" },
      },
    });
  });

  it.each(["1,5", "abc", "-1", " 5", "1e3", "1.0000001"])(
    "refuse the amount %j with 400, and leave no line",
    async (eur) => {
      const { accountId } = account;
      const booking = { eur, reference: "1", reason: "Transfer" };
      const before = await readLog();
      for (const [path, body, field] of [
        ["/admin/v1/accounts", { name: "N", external_id: "1", credit_eur: eur }, "credit_eur"],
        [`/admin/v1/accounts/${accountId}/top-ups`, booking, "eur"],
        [`/admin/v1/accounts/${accountId}/withdrawals`, booking, "eur"],
        [`/admin/v1/jobs/${newId()}/refunds`, booking, "eur"],
      ] as const) {
        expect(await console.ask(operator, "POST", path, body)).toMatchObject({
          status: 400,
          body: { error: "invalid_request", details: [{ path: field }] },
        });
      }
      expect(await readLog()).toEqual(before);
    },
  );

  it("book the credit of a new account once, by its external id", async () => {
    const create = (body: object) =>
      console.ask(operator, "POST", "/admin/v1/accounts", { name: "Nougat", ...body });
    expect(await create({ credit_eur: "5" })).toMatchObject({
      status: 400,
      body: { details: [{ path: "external_id" }] },
    });
    const wanted = { external_id: `C-${newId()}`, credit_eur: "5" };
    expect(await create(wanted)).toMatchObject({ status: 201, body: { balance_eur: "5.00" } });
    expect(await create(wanted)).toMatchObject({ status: 200, body: { balance_eur: "5.00" } });
  });

  it("create no key that has expired", async () => {
    const path = `/admin/v1/accounts/${account.accountId}/keys`;
    const body = { name: "website", expires_at: "2001-01-01T00:00:00Z" };
    expect(await console.ask(operator, "POST", path, body)).toMatchObject({
      status: 400,
      body: { details: [{ path: "expires_at" }] },
    });
  });

  it("each document the refusal of the log", () => {
    const missing = writes.filter(({ errors }: Endpoint) => !errors?.includes("change_refused"));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it("leave no line about what does not exist", async () => {
    const before = await readLog();
    const missing = newId();
    const reason = { reason: "Unpaid" };
    for (const [path, body, error] of [
      [`/admin/v1/accounts/${missing}/suspend`, reason, "account_not_found"],
      [`/admin/v1/accounts/none/suspend`, reason, "account_not_found"],
      [`/admin/v1/jobs/${missing}/refunds`, { ...reason, reference: "1" }, "job_not_found"],
      [`/admin/v1/keys/${missing}/revoke`, undefined, "key_not_found"],
      ["/admin/v1/lanes/none/pause", undefined, "lane_not_found"],
      ["/admin/v1/nothing", undefined, "not_found"],
    ] as const) {
      expect(await console.ask(operator, "POST", path, body)).toMatchObject({
        status: 404,
        body: { error },
      });
    }
    const strict = { name: "Nougat", balance: "3" };
    expect(await console.ask(operator, "POST", "/admin/v1/accounts", strict)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("balance is not a known property") },
    });
    expect(await readLog()).toEqual(before);
  });
});

describe("sessions of the console", () => {
  it("sets a cookie that only this host and its pages send, for eight hours", async () => {
    const { response, body } = await console.ask("", "POST", "/admin/v1/session", {
      key: stack.adminKey,
    });
    const cookie = response.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^__Host-atelier_console_\d+=/);
    for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict", "Max-Age=28800"]) {
      expect(cookie.split("; ")).toContain(attribute);
    }
    expect(body).toMatchObject({ actor: "console:operator-key", role: "operator" });
    expect((await console.ask(operator, "GET", "/admin/v1/session")).body).toMatchObject({
      role: "operator",
      identity_provider: null,
    });
    expect((await console.ask("", "GET", "/admin/v1/session")).body).toMatchObject({ role: null });
    const out = await console.ask(operator, "DELETE", "/admin/v1/session");
    expect(out.response.headers.get("Set-Cookie")).toMatch(/^__Host-[^;]*=;.*Secure/);
  });

  it("opens nothing without a session, and with a cookie of Studio under any name", async () => {
    const api = await signInToStudio(stack.url, { key: account.key });
    const [, value = ""] = cookieOf(api).split("=");
    const own = operator.split("=")[0];
    for (const cookie of ["", cookieOf(api), `${own}=${value}`, `${own}=AAAA`]) {
      for (const endpoint of adminEndpoints) {
        const { method, path } = splitRoute(endpoint);
        if (path.startsWith("/admin/v1/session")) continue;
        const answer = await console.ask(cookie, method, path.replace(/\{\w+\}/, newId()));
        expect({ id: endpoint.id, ...answer }).toMatchObject({
          status: 401,
          body: { error: "unauthorized" },
        });
      }
    }
  });

  it("refuses requests of other pages and other addresses", async () => {
    const path = "/admin/v1/lanes/builtin-test/resume";
    const foreign = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: stack.url },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "cross-site" },
    ];
    for (const headers of foreign) {
      const answer = await console.ask(operator, "POST", path, undefined, headers);
      expect({ headers, ...answer }).toMatchObject({
        status: 403,
        body: { error: "not_permitted" },
      });
    }
    const without = await fetch(console.url + path, {
      method: "POST",
      headers: { Cookie: operator },
    });
    expect(without.status).toBe(403);
    const signIn = await console.ask(
      "",
      "POST",
      "/admin/v1/session",
      { key: stack.adminKey },
      foreign[0],
    );
    expect(signIn.status).toBe(403);
    expect(signIn.response.headers.get("Set-Cookie")).toBeNull();
    for (const site of ["same-site", "cross-site"]) {
      const read = await console.ask(operator, "GET", "/admin/v1/health", undefined, {
        "Sec-Fetch-Site": site,
      });
      expect(read.status).toBe(403);
    }
    const named = await serveConsoleOf(stack, { ADMIN_URL: "https://console.example.org" });
    const cookie = await named.signIn();
    const from = (Origin: string) =>
      named.ask(cookie, "DELETE", "/admin/v1/session", undefined, { Origin });
    expect((await from("https://console.example.org")).status).toBe(204);
    expect(await from("https://console.example.org.evil.example")).toMatchObject({
      status: 403,
      body: {
        message: expect.stringContaining("Open it at https://console.example.org"),
        details: { reason: "unknown_address", address: "https://console.example.org" },
      },
    });
    await named.stop();
  });

  it("end when the key that opened them is changed, and after their time", async () => {
    const other = await serveConsoleOf(stack, { SUPPORT_KEY: `${supportKey} 2` });
    const name = (cookie: string) => cookie.split("=")[0];
    expect(name(operator)).toBe(name(await other.signIn()));
    expect((await other.ask(support, "GET", "/admin/v1/accounts")).status).toBe(401);
    expect((await other.ask(operator, "GET", "/admin/v1/accounts")).status).toBe(200);
    await other.stop();
    const peppered = await serveConsoleOf(stack, {
      KEY_PEPPER: "another pepper that is only for tests and long enough",
    });
    expect((await peppered.ask(operator, "GET", "/admin/v1/accounts")).status).toBe(401);
    await peppered.stop();
  });

  it("limits the keys of an address, without telling the right one from others", async () => {
    const limited = await serveConsoleOf(stack, { FAILED_AUTHENTICATIONS_PER_MINUTE: "3" });
    const attempt = async (key: string) =>
      (await limited.ask("", "POST", "/admin/v1/session", { key })).status;
    expect(await attempt(stack.adminKey)).toBe(200);
    const wrong: number[] = [];
    for (let count = 0; count < 4; count++) wrong.push(await attempt(`wrong ${count}`));
    expect(wrong).toEqual([401, 401, 401, 429]);
    expect(await attempt(stack.adminKey)).toBe(429);
    await limited.stop();
  });
});

describe("pages of the console", () => {
  const read = (path: string) => console.ask(support, "GET", path);

  it("finds accounts by id, external id and words of the name, page by page", async () => {
    const externalId = `C-${newId()}`;
    const word = `mar${newId().slice(-8)}`;
    const made: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { body } = await console.ask(operator, "POST", "/admin/v1/accounts", {
        name: `The ${word} & Söhne ${count}`,
        ...(count === 0 && { external_id: externalId }),
      });
      made.unshift((body as { id: string }).id);
    }
    const find = async (q: string) =>
      (
        (await read(`/admin/v1/accounts?q=${encodeURIComponent(q)}`)).body as {
          accounts: { id: string }[];
        }
      ).accounts.map(({ id }) => id);
    expect(await find(word.slice(0, 9))).toEqual(made);
    expect(await find(`söhne ${word}`)).toEqual(made);
    expect(await find(externalId)).toEqual([made[2]]);
    expect(await find(made[1]?.toUpperCase() ?? "")).toEqual([made[1]]);
    expect(await find("'; --")).toEqual([]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await read(`/admin/v1/accounts?q=${word}&limit=2${next}`);
      const page = body as { accounts: { id: string }[]; next_cursor: string | null };
      seen.push(...page.accounts.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
  });

  it.each([
    "example.com",
    "anna@example.org",
    "a/b Studio",
    "C-1207 Kunde",
    "3.5 Grad",
    "ÄRGER",
    "O'Neill & Sons",
  ])("finds an account by its whole name and its beginning: %s", async (name) => {
    const { body } = await console.ask(operator, "POST", "/admin/v1/accounts", { name });
    const { id } = body as { id: string };
    for (const q of [name, name.slice(0, -1)]) {
      const found = await read(`/admin/v1/accounts?q=${encodeURIComponent(q)}`);
      const { accounts } = found.body as { accounts: { id: string }[] };
      expect({ q, ids: accounts.map((one) => one.id) }).toMatchObject({
        q,
        ids: expect.arrayContaining([id]),
      });
    }
  });

  it("shows balance, charges, refunds, failed jobs and last use of an account", async () => {
    const { jobId } = await makeJob();
    await console.ask(operator, "POST", `/admin/v1/jobs/${jobId}/refunds`, {
      eur: "0.005",
      reference: "complaint",
      reason: "Late",
    });
    const { body } = await read(`/admin/v1/accounts/${account.accountId}`);
    expect(body).toMatchObject({
      account: {
        status: "active",
        held_eur: "0.00",
        last_30_days: {
          charged_eur: "0.01",
          refunded_eur: "0.005",
          failed_jobs: 0,
          is_complete: true,
        },
        last_used_at: expect.any(String),
      },
      members: [],
      keys: [{ id: account.keyId, member_id: null }],
    });
    expect(JSON.stringify(body)).not.toContain(account.key.slice(0, -4));
    const listed = await read(`/admin/v1/accounts?q=${account.accountId}`);
    expect((listed.body as { accounts: unknown[] }).accounts).toEqual([
      (body as { account: unknown }).account,
    ]);
  });

  it("says who suspended an account and why, until it is resumed", async () => {
    const path = `/admin/v1/accounts/${account.accountId}`;
    const suspensionOf = async () =>
      ((await read(path)).body as { account: { suspension: unknown } }).account.suspension;
    expect(await suspensionOf()).toBeNull();
    // Lines about another account, and a second request that changes nothing.
    const other = await stack.createAccount();
    for (const [id, action, reason] of [
      [account.accountId, "suspend", "Unpaid since May"],
      [account.accountId, "resume", "Paid"],
      [account.accountId, "suspend", "Unpaid since October"],
      [account.accountId, "suspend", "Still unpaid"],
      [other.accountId, "suspend", "Spam"],
    ] as const) {
      const way = `/admin/v1/accounts/${id}/${action}`;
      expect((await console.ask(operator, "POST", way, { reason })).status).toBe(200);
    }
    expect(await suspensionOf()).toEqual({
      actor: "console:operator-key",
      reason: "Unpaid since October",
    });
    await console.ask(operator, "POST", `${path}/resume`, { reason: "Paid" });
    expect(await suspensionOf()).toBeNull();
    // Without a line, as by an erasure.
    await setSuspended(stack.database, account.accountId, true);
    expect(await suspensionOf()).toBeNull();
  });

  it("lists the transactions of an account as the account itself reads them", async () => {
    const { jobId } = await makeJob();
    const path = `/admin/v1/accounts/${account.accountId}`;
    const book = (way: string, body: object) =>
      console.ask(operator, "POST", way, { eur: "0.005", reason: "Late", ...body });
    await book(`/admin/v1/jobs/${jobId}/refunds`, { reference: "complaint" });
    await book(`${path}/withdrawals`, { reference: "payment" });
    // Of another account, which is not listed.
    await book(`/admin/v1/accounts/${(await stack.createAccount()).accountId}/top-ups`, {
      reference: "invoice",
    });
    const first = await read(`${path}/transactions?limit=3`);
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    const second = await read(`${path}/transactions?limit=3&cursor=${cursor}`);
    expect(second.body).toMatchObject({ transactions: [{ kind: "top_up" }], next_cursor: null });
    expect(first.body).toMatchObject({
      transactions: [
        { kind: "withdrawal", amount_eur: "-0.005", reference: "payment", job_id: null },
        { kind: "refund", amount_eur: "0.005", reference: "complaint", job_id: jobId },
        { kind: "charge", amount_eur: "-0.01", reference: null, job_id: jobId },
      ],
    });
    const own = await stack.request(account, "GET", "/v1/transactions?limit=3");
    expect(await own.json()).toEqual(first.body);
    const { route } = listAccountTransactions;
    expect(checks.problemsOf(route, first.response, first.body)).toEqual([]);
    expect(await read(`/admin/v1/accounts/${newId()}/transactions`)).toMatchObject({
      status: 404,
      body: { error: "account_not_found" },
    });
  });

  it("leads from a request id, a hash, a picture and a time to the life of a job", async () => {
    const from = new Date(Date.now() - 2_000).toISOString();
    const { jobId, requestId } = await makeJob();
    const found = async (query: string) =>
      (
        (await read(`/admin/v1/jobs?${query}`)).body as {
          jobs: { id: string; files: { sha256: string; storage_key: string }[] }[];
        }
      ).jobs;
    const [job] = await found(`request_id=${requestId}`);
    expect(job).toMatchObject({
      id: jobId,
      charged_eur: "0.01",
      account: { id: account.accountId },
    });
    expect(job?.files[0]).toMatchObject({
      image: 0,
      width: expect.any(Number),
      height: expect.any(Number),
    });
    expect((await found(`sha256=${job?.files[0]?.sha256}`)).map(({ id }) => id)).toEqual([jobId]);
    expect((await found(`job=${jobId}`)).map(({ id }) => id)).toEqual([jobId]);
    expect((await found(`from=${from}`)).map(({ id }) => id)).toContain(jobId);
    const explained = await read(`/admin/v1/jobs/${jobId}`);
    expect(explained.body).toMatchObject({ job: { id: jobId }, archived: null });
    const events = (explained.body as { events: { event: string }[] }).events.map(
      ({ event }) => event,
    );
    expect(events).toEqual(expect.arrayContaining(["accepted", "settle", "completed"]));
    for (const query of [
      "",
      `job=${jobId}&request_id=x`,
      "to=2026-01-01T00:00:00Z",
      "text=house",
      "request_id=%00",
    ]) {
      expect((await read(`/admin/v1/jobs?${query}`)).status).toBe(400);
    }
    const detail = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
    const { result } = (await detail.json()) as { result: { image_url: string } };
    const picture = Buffer.from(await (await fetch(result.image_url)).arrayBuffer());
    const recognised = await fetch(`${console.url}/admin/v1/jobs/recognise`, {
      method: "POST",
      headers: { Cookie: support, Origin: console.url, "Content-Type": "image/png" },
      body: picture,
    });
    expect(await recognised.json()).toMatchObject({ jobs: [{ id: jobId }] });
  });

  it("lists the jobs of one account page by page, newest first, by time and status", async () => {
    const { accountId } = account;
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.unshift((await makeJob()).jobId);
    const other = await stack.createAccount();
    await stack.request(other, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "a red house by the sea",
    });
    const list = async (query: string) => {
      const { status, body } = await read(`/admin/v1/jobs?account_id=${accountId}${query}`);
      expect(status).toBe(200);
      return body as { jobs: { id: string; created_at: string }[]; next_cursor: string | null };
    };
    const idsOf = async (query: string) => (await list(query)).jobs.map(({ id }) => id);
    const first = await list("&limit=2");
    const second = await list(`&limit=2&cursor=${first.next_cursor}`);
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(made);
    expect(second.next_cursor).toBeNull();
    const [{ created_at: newest } = { created_at: "" }] = first.jobs;
    expect(await idsOf(`&from=${newest}`)).toEqual(made.slice(0, 1));
    expect(await idsOf(`&to=${newest}`)).toEqual(made.slice(1));
    expect(await idsOf("&status=completed")).toEqual(made);
    expect(await idsOf("&status=failed")).toEqual([]);
    expect((await read(`/admin/v1/jobs?account_id=${newId()}`)).body).toEqual({
      jobs: [],
      archived: null,
      next_cursor: null,
    });
  });

  it.each([
    "account_id=none",
    `account_id=${newId()}&job=${newId()}`,
    `account_id=${newId()}&request_id=a&from=2026-01-01T00:00:00Z`,
    `account_id=${newId()}&status=lost`,
    "status=failed",
    "status=failed&from=2026-01-01T00:00:00Z",
    `job=${newId()}&cursor=${Buffer.from(newId()).toString("base64url")}`,
  ])("refuses jobs by %s", async (query) => {
    expect((await read(`/admin/v1/jobs?${query}`)).status).toBe(400);
  });

  it("pages jobs by time without repeating or missing one", async () => {
    const from = new Date().toISOString();
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.unshift((await makeJob()).jobId);
    const to = new Date().toISOString();
    const first = (await read(`/admin/v1/jobs?from=${from}&to=${to}&limit=2`)).body as {
      jobs: { id: string }[];
      next_cursor: string;
    };
    const second = (
      await read(`/admin/v1/jobs?from=${from}&to=${to}&limit=2&cursor=${first.next_cursor}`)
    ).body as typeof first;
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(made);
    expect(second.next_cursor).toBeNull();
  });

  it("pauses and resumes a lane, and shows lanes with circuits, calls and prices", async () => {
    await makeJob();
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-blind/pause");
    const laneOf = async (name: string) =>
      ((await read("/admin/v1/health")).body as { lanes: { name: string }[] }).lanes.find(
        (lane) => lane.name === name,
      );
    expect(await laneOf("fake-blind")).toMatchObject({ is_paused: true });
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-blind/resume");
    expect(await laneOf("fake-blind")).toMatchObject({ is_paused: false });
    expect(await laneOf("builtin")).toMatchObject({
      is_paused: false,
      can_pause: true,
      circuit: { state: "closed" },
      last_hour: { failed_calls: 0, error_rate: 0, is_complete: true },
      models: expect.arrayContaining([
        { id: "builtin-illustrator", from_eur: "0.01", to_eur: expect.any(String) },
      ]),
    });
  });

  it("shows the newest failed calls of a provider by kind, and no refusals", async () => {
    const { jobId } = await makeJob();
    const name = newId();
    const calls = [
      ["unavailable", 50],
      ["timed_out", 40],
      ["timed_out", 30],
      ["image", 20],
      ["invalid_request", 10],
      ["unavailable", 70],
    ] as const;
    for (const [index, [outcome, minutes]] of calls.entries()) {
      await stack.database.query(
        `INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome, started_at, finished_at)
         SELECT $1, id, $2, $3, 'm', $4::provider_outcome, at, at
           FROM render, LATERAL (SELECT now() - $5 * interval '1 minute' AS at) AS ended
          WHERE generation_id = $6`,
        [newId(), 100 + index, name, outcome, minutes, jobId],
      );
    }
    await stack.database.query(
      `INSERT INTO lane_health (lane, failures, last_render_id, reason, open_until)
       VALUES ($1, 3, uuidv7(), 'status 503', now() + interval '10 minutes')`,
      [name],
    );
    // A change of a lane makes the next request read again.
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-blind/resume");
    const { body } = await read("/admin/v1/health");
    expect((body as { lanes: object[] }).lanes).toContainEqual(
      expect.objectContaining({
        name,
        can_pause: false,
        circuit: expect.objectContaining({ state: "open", reason: "status 503", failures: 3 }),
        last_hour: {
          calls: 5,
          failed_calls: 3,
          error_rate: 0.6,
          errors: [
            { kind: "timed_out", count: 2, last_at: expect.any(String) },
            { kind: "unavailable", count: 1, last_at: expect.any(String) },
          ],
          is_complete: true,
        },
      }),
    );
    await stack.database.query("DELETE FROM provider_call WHERE provider = $1", [name]);
    await stack.database.query("DELETE FROM lane_health WHERE lane = $1", [name]);
  });

  it("workers begin no image of a paused lane, and go on when it is resumed", async () => {
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-resumable/pause");
    const waiting = await stack.request(
      account,
      "POST",
      "/v1/generate/image",
      { model: "fake-resumable", prompt: "a red house by the sea" },
      { Prefer: "respond-async" },
    );
    const jobId = waiting.headers.get("X-Service-Job-Id") ?? "";
    const many = await stack.createAccount();
    for (let count = 0; count < 2; count++) {
      await stack.request(
        many,
        "POST",
        "/v1/generate/image",
        { model: "fake-resumable", prompt: "a red house by the sea" },
        { Prefer: "respond-async" },
      );
    }
    // A job of another lane takes longer than a worker needs to claim one.
    await makeJob();
    const { body } = await read("/admin/v1/health");
    expect((body as { lanes: object[] }).lanes).toContainEqual(
      expect.objectContaining({
        name: "fake-resumable",
        is_paused: true,
        waiting: 3,
        running: 0,
        oldest_job_id: jobId,
        accounts: [
          { id: many.accountId, name: "test", waiting: 2, running: 0 },
          { id: account.accountId, name: "test", waiting: 1, running: 0 },
        ],
      }),
    );
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-resumable/resume");
    await eventually(
      async () =>
        ((await read(`/admin/v1/jobs/${jobId}`)).body as { job: { status: string } }).job.status,
      (status) => status === "completed",
    );
  });

  it("reads the health of lanes once in two seconds", async () => {
    // A change of a lane is shown at once.
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-blind/resume");
    const first = await read("/admin/v1/health");
    const before = statements.count();
    expect((await read("/admin/v1/health")).body).toEqual(first.body);
    expect(statements.count() - before).toBe(0);
  });

  it("shows workers with version and heartbeat", async () => {
    const { body } = await read("/admin/v1/health");
    expect((body as { workers: object[] }).workers).toContainEqual(
      expect.objectContaining({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        lanes: expect.arrayContaining(["builtin", "fake-blind"]),
        is_silent: false,
        replaced_by: null,
      }),
    );
  });

  it("tells a killed worker from one that was replaced", async () => {
    const [killed, replaced, next] = [newId(), newId(), newId()];
    const killedHours: readonly [
      id: string,
      lane: string,
      startedHours: number,
      seenHours: number,
    ][] = [
      [killed, "lost", 3, 2],
      [replaced, "moved", 3, 2],
      [next, "moved", 1, 0],
    ];
    for (const [id, lane, started, seen] of killedHours) {
      await stack.database.query(
        `INSERT INTO worker (id, host, version, lanes, started_at, seen_at)
         VALUES ($1, 'host', '0.4.0', ARRAY[$2], now() - $3 * interval '1 hour', now() - $4 * interval '1 hour')`,
        [id, lane, started, seen],
      );
    }
    // A change of a lane makes the next request read again.
    await console.ask(operator, "POST", "/admin/v1/lanes/fake-blind/resume");
    const answer = await read("/admin/v1/health");
    expect(checks.problemsOf("GET /admin/v1/health", answer.response, answer.body)).toEqual([]);
    const { workers } = answer.body as { workers: { id: string; is_silent: boolean }[] };
    expect(Object.fromEntries(workers.map((worker) => [worker.id, worker]))).toMatchObject({
      [killed]: { is_silent: true, replaced_by: null },
      [replaced]: { is_silent: true, replaced_by: next },
      [next]: { is_silent: false, replaced_by: null },
    });
    await stack.database.query("DELETE FROM worker WHERE id = ANY ($1)", [
      [killed, replaced, next],
    ]);
  });

  it("reads at most three statements for each page", async () => {
    const { jobId, requestId } = await makeJob();
    const from = new Date(Date.now() - 60_000).toISOString();
    const pages = [
      "/admin/v1/accounts",
      `/admin/v1/accounts?q=${account.accountId}`,
      "/admin/v1/accounts?q=test",
      `/admin/v1/accounts/${account.accountId}`,
      `/admin/v1/accounts/${account.accountId}/transactions`,
      `/admin/v1/jobs?job=${jobId}`,
      `/admin/v1/jobs?request_id=${requestId}`,
      `/admin/v1/jobs?sha256=${"0".repeat(64)}`,
      `/admin/v1/jobs?from=${from}`,
      `/admin/v1/jobs?account_id=${account.accountId}`,
      `/admin/v1/jobs/${jobId}`,
      "/admin/v1/health",
      "/admin/v1/session",
    ];
    // Prisma sends its statements past the counted database.
    const ownStatements: Readonly<Record<string, number>> = {
      [`/admin/v1/accounts/${account.accountId}`]: 1,
    };
    for (const page of pages) {
      const before = statements.count();
      const answer = await read(page);
      const count = statements.count() - before + (ownStatements[page] ?? 0);
      expect({ page, status: answer.status, isFew: count <= 3, count }).toMatchObject({
        status: 200,
        isFew: true,
      });
    }
  });

  it("has its own document, which names every route and whose responses it sends", async () => {
    const { body } = await console.ask("", "GET", "/admin/openapi.json");
    expect(Object.keys((body as { paths: object }).paths)).toEqual([
      ...new Set(adminEndpoints.map((endpoint) => splitRoute(endpoint).path)),
    ]);
    for (const path of ["/admin/v1/accounts", "/admin/v1/health", "/admin/v1/session"]) {
      const answer = await read(path);
      expect(checks.problemsOf(`GET ${path}`, answer.response, answer.body)).toEqual([]);
    }
  });
});
