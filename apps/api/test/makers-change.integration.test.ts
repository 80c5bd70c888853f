import { mintedKey } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import { shareStack, type Stack } from "@atelier/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { image, readError } from "./support/client.ts";
import { addPerson, type Person } from "./support/people.ts";
import { askAsPage, serveApi } from "./support/studio.ts";

let stack: Stack;
let api: Awaited<ReturnType<typeof serveApi>>;

beforeAll(async () => {
  stack = await shareStack();
  api = await serveApi(stack, { SHARES: "on", ABUSE_CONTACT: "abuse@example.com" });
});

afterAll(async () => {
  await api?.stop();
  await stack?.stop();
});

type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Sends requests with the cookie of a session. */
const askWith =
  ({ cookie }: Pick<Person, "cookie">): Ask =>
  (method, path, body, headers = {}) =>
    askAsPage(api.url, { method, path, cookie, headers, ...(body !== undefined && { body }) });

/** Uploads a picture with the cookie of a session. */
const uploadWith = ({ cookie }: Pick<Person, "cookie">) =>
  fetch(`${api.url}/v1/uploads`, {
    method: "POST",
    headers: {
      "Content-Type": "image/png",
      "X-Atelier-Studio": "1",
      "Sec-Fetch-Site": "same-origin",
      Cookie: cookie,
    },
    body: new Uint8Array(picture),
  });

let picture: Buffer;

beforeAll(async () => {
  const create = { width: 48, height: 32, channels: 3, background: "#1020c0" } as const;
  picture = await sharp({ create }).png().toBuffer();
});

/** The ids of things that one key requested or created. */
type Things = Record<
  "job" | "story" | "batch" | "upload" | "character" | "location" | "share",
  string
>;

const story = {
  model: "fake-blind",
  characters: [{ name: "Mira", description: "a girl with red hair" }],
  locations: [{ name: "harbour", description: "a small harbour" }],
  scenes: [
    { prompt: "Mira waits", characters: ["Mira"], location: "harbour" },
    { prompt: "Mira goes home" },
  ],
};

async function createThings(person: Person): Promise<Things> {
  const ask = askWith(person);
  const idIn = async (response: Promise<Response>) =>
    z.object({ id: z.string() }).parse(await (await response).json()).id;
  const create = (path: string, body: object) => idIn(ask("POST", path, body));
  const drawn = await ask("POST", "/v1/generate/image", image);
  const job = drawn.headers.get("X-Service-Job-Id") ?? "";
  const told = await ask("POST", "/v1/generate/story", story);
  const accepted: unknown = await told.json();
  expect(accepted).toMatchObject({ job_id: expect.any(String) });
  const { job_id: storyId } = z.object({ job_id: z.string() }).parse(accepted);
  const read = await ask("GET", `/v1/jobs/${storyId}`, undefined, { Prefer: "wait=60" });
  expect(await read.json()).toMatchObject({ status: "completed" });
  return {
    job,
    story: storyId,
    batch: await create("/v1/batches", { requests: [{ operation: "image", body: image }] }),
    upload: await idIn(uploadWith(person)),
    character: await create("/v1/characters", { story_job_id: storyId, name: "Mira" }),
    location: await create("/v1/locations", { story_job_id: storyId, name: "harbour" }),
    share: await create("/v1/shares", { job_id: job, days: 7 }),
  };
}

/** The path and the body of a request that changes a thing. */
type Change = (things: Things) => readonly [path: string, body?: object];

/**
 * Requests that change a thing of the key that requested it. The last ones end the thing, so that the order is that
 * of the test.
 */
const changing: Readonly<Record<string, Change>> = {
  changeJob: ({ job }) => [`/v1/jobs/${job}`, { title: "Renamed", starred: true }],
  keepJob: ({ job }) => [`/v1/jobs/${job}/keep`],
  releaseJob: ({ job }) => [`/v1/jobs/${job}/keep`],
  cancelJob: ({ job }) => [`/v1/jobs/${job}`],
  createShare: ({ job }) => ["/v1/shares", { job_id: job, days: 1 }],
  changeCharacter: ({ character }) => [`/v1/characters/${character}`, { name: "Ada" }],
  changeLocation: ({ location }) => [`/v1/locations/${location}`, { name: "pier" }],
  cancelBatch: ({ batch }) => [`/v1/batches/${batch}`],
  deleteShare: ({ share }) => [`/v1/shares/${share}`],
  deleteUpload: ({ upload }) => [`/v1/uploads/${upload}`],
  deleteCharacter: ({ character }) => [`/v1/characters/${character}`],
  deleteLocation: ({ location }) => [`/v1/locations/${location}`],
  deleteJobImages: ({ job }) => [`/v1/jobs/${job}/images`],
};

/** Requests that change nothing of another key: they create something, or change what belongs to the whole account. */
const notChanging = [
  "archiveJobs",
  "downloadFile",
  "createQuote",
  "improvePrompt",
  "draftStory",
  "createBatch",
  "createUpload",
  "createCollection",
  "changeCollection",
  "deleteCollection",
  "savePreset",
  "deletePreset",
];

/** A maker who reads all jobs of the account, and a manager. */
async function openAccount() {
  const account = await stack.createAccount("100");
  await stack.request(account, "PATCH", "/v1/account", { makers_read_all: true });
  const maker = await addPerson(stack, account, "maker");
  const manager = await addPerson(stack, account, "manager");
  return { account, maker, manager };
}

/** The error code of a response, with the message of a refusal; null if it succeeded. */
async function refusalOf(
  response: Response,
): Promise<readonly [code: string, message: string] | null> {
  if (response.ok) return null;
  const { error, message } = await readError(response);
  return [error, message];
}

const belongsToOther = (thing: string) => [
  "key_not_permitted",
  `This ${thing} belongs to another key. Makers change only what is their own; ask a manager or an owner of the account.`,
];

it("every operation that a maker may send is one that changes a thing of a key, or one that does not", () => {
  const mayChange = endpoints.endpoints.filter((one: endpoints.Endpoint) => {
    const { route, scope, createsJob = false, params } = one;
    const isNew = createsJob && params === undefined;
    return !route.startsWith("GET") && !scope.includes("manage") && !isNew;
  });
  expect(mayChange.map(({ id }) => id).toSorted()).toEqual(
    [...Object.keys(changing), ...notChanging].toSorted(),
  );
});

it("makers who read all jobs of the account change only what they requested or created", async () => {
  const { maker, manager } = await openAccount();
  const [others, own] = await Promise.all([createThings(manager), createThings(maker)]);
  const send = (person: Person, id: string, things: Things) => {
    const [method = ""] = endpoints.endpoints.find((one) => one.id === id)?.route.split(" ") ?? [];
    const [path = "", body] = changing[id]?.(things) ?? [];
    return askWith(person)(method, path, body);
  };
  const readOthers = async () => {
    const paths = [`/v1/jobs/${others.job}`, `/v1/characters/${others.character}`];
    const read = await Promise.all(
      paths.map(async (path) => (await maker.ask("GET", path)).json()),
    );
    return read.map((one) =>
      JSON.stringify(one).replaceAll(/https?:[^"]+|"expires_at":"[^"]+"/g, ""),
    );
  };
  const before = await readOthers();
  for (const id of Object.keys(changing)) {
    const thing =
      /job|share/i.test(id) && id !== "deleteShare"
        ? "job"
        : id.replace(/^[a-z]+/, "").toLowerCase();
    expect([id, await refusalOf(await send(maker, id, others))]).toEqual([
      id,
      belongsToOther(thing),
    ]);
  }
  expect(await readOthers()).toEqual(before);
  for (const [person, things] of [
    [maker, own],
    [manager, others],
  ] as const) {
    for (const id of Object.keys(changing)) {
      const [code = null] = (await refusalOf(await send(person, id, things))) ?? [];
      expect([id, code]).toEqual([id, id === "cancelJob" ? "job_not_cancellable" : null]);
    }
  }
});

it("makers choose the shown scenes of their own stories only", async () => {
  const { maker, manager } = await openAccount();
  const [others, own] = await Promise.all([createThings(manager), createThings(maker)]);
  const choose = async (person: Person, { story: id }: Things) =>
    refusalOf(await askWith(person)("PUT", `/studio/stories/${id}/scenes/1`, { job_id: id }));
  expect(await choose(maker, others)).toEqual(belongsToOther("job"));
  expect(await choose(maker, own)).toBeNull();
  expect(await choose(manager, others)).toBeNull();
});

it("a key of a member who became a maker cancels only jobs that it requested, over MCP too", async () => {
  const { account, manager: person } = await openAccount();
  const minted = await person.ask("POST", "/v1/keys", {
    name: "made",
    scopes: ["generate", "read"],
  });
  const { key } = mintedKey.parse(await minted.json());
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", stack.url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  const drawn = await stack.request(account, "POST", "/v1/generate/image", image);
  const cancel = async () => {
    const id = drawn.headers.get("X-Service-Job-Id") ?? "";
    const { content } = await client.callTool({ name: "cancel_job", arguments: { job_id: id } });
    return JSON.stringify(content);
  };
  expect(await cancel()).toContain("job_not_cancellable");
  await stack.request(account, "PATCH", `/v1/members/${person.id}`, { role: "maker" });
  expect(await cancel()).toContain("belongs to another key");
  await client.close();
});
