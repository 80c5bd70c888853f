import { createSvgDrawer } from "@atelier/svg";
import { afterEach, describe, expect, it } from "vitest";
import type { Provider } from "../../provider.ts";
import { callAdapter, makeReferences } from "../testing/call-adapter.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../testing/protocol-server.ts";
import { readForm } from "../testing/read-form.ts";
import { createDescribedProvider } from "./described.ts";
import { description } from "./description.ts";
import { readShipped } from "./shipped.ts";

const shippedFal = await readShipped("fal");
const apiKey = "sk-0123456789abcdef";
const running = new Set<ProtocolServer>();
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
});

async function start(respond: (visit: Visit) => Reply | Promise<Reply>): Promise<ProtocolServer> {
  const server = await startProtocolServer(respond);
  running.add(server);
  return server;
}

/** A provider with a description that needs only what a test is about. */
function create(url: string, parts: object): Provider {
  const described = description.parse({
    key: { headers: { authorization: "Bearer {api_key}" } },
    sizes: { of: { "1K": { by_ratio: { "1:1": "64x64" } } } },
    requests: [{ path: "images", json: { prompt: "{prompt}" } }],
    answer: { image: { as: "base64", at: "image" } },
    ...parts,
  });
  return createDescribedProvider({
    name: "described",
    description: described,
    apiKey,
    baseUrl: url,
    fetchResult: fetchPlainly,
    svgDrawer: createSvgDrawer(),
    pollIntervalMs: 1,
  });
}

async function imageReply(): Promise<Reply> {
  const image = await makeImage({ width: 64, height: 64 }, "png", null);
  return { status: 200, json: { image: image.toString("base64") } };
}

describe("images that are uploaded", () => {
  const parts = {
    images: { as: "upload", item: { ref: "{image}" } },
    upload: { path: "files", form: { purpose: "input", file: "{image}" }, url_at: "file.url" },
    requests: [{ path: "images", json: { prompt: "{prompt}", refs: "{images}" } }],
  };

  it("are sent one by one, before the request that has their URLs", async () => {
    const server = await start(async ({ call, url }) => {
      if (url.pathname === "/images") return imageReply();
      const files = ((await readForm(call)) ?? []).filter(({ fileName }) => fileName !== null);
      return { status: 201, json: { file: { url: `https://cdn.example/${files.length}` } } };
    });
    const references = await makeReferences("one", "two");
    const outcome = await callAdapter(create(server.url, parts), { references });
    expect(outcome.kind).toBe("image");
    expect(server.calls.map(({ path }) => path)).toEqual(["/files", "/files", "/images"]);
    expect(JSON.parse(String(server.calls[2]?.body))).toMatchObject({
      refs: [{ ref: "https://cdn.example/1" }, { ref: "https://cdn.example/1" }],
    });
  });

  it.each([
    ["fail", { status: 500, json: {} }],
    ["time out at a proxy", { status: 504, json: {} }],
    ["get no URL", { status: 200, json: {} }],
  ])("leave the call repeatable when they %s: no image was asked for", async (_, reply) => {
    const server = await start(() => reply);
    const references = await makeReferences("one");
    const outcome = await callAdapter(create(server.url, parts), { references });
    expect(outcome.kind).toBe("unavailable");
    expect(server.calls.map(({ path }) => path)).toEqual(["/files"]);
  });
});

describe("a job whose poll fails", () => {
  const poll = {
    keep: { job: "job" },
    status: { path: "jobs/{job}" },
    state: "state",
    done: ["done"],
    result: { path: "jobs/{job}/result" },
  };

  it.each([
    ["status 403 of the rules of fal", 403, shippedFal.outcomes],
    ["status 403", 403, [{ status: [403], outcome: "out_of_quota" }]],
    ["status 429", 429, [{ status: [429], outcome: "rate_limited" }]],
    ["status 400", 400, [{ status: ["4xx"], outcome: "invalid_request" }]],
    ["status 500", 500, [{ status: ["5xx"], outcome: "unavailable" }]],
  ])("stays open and is resumed, not ordered again: %s", async (_, status, outcomes) => {
    for (const broken of ["/jobs/one", "/jobs/one/result"]) {
      let isBroken = true;
      const server = await start(async ({ call, url }) => {
        if (call.method === "POST") return { status: 202, json: { job: "one" } };
        if (isBroken && url.pathname === broken) {
          return { status, json: { detail: "User is locked. Reason: Exhausted balance." } };
        }
        return url.pathname === "/jobs/one"
          ? { status: 200, json: { state: "done" } }
          : imageReply();
      });
      const provider = create(server.url, { poll, outcomes });
      const ids: string[] = [];
      const onRequestId = async (id: string) => void ids.push(id);
      expect((await callAdapter(provider, {}, { onRequestId })).kind).toBe("unknown");
      isBroken = false;
      const [resumeRequestId = null] = ids;
      expect((await callAdapter(provider, {}, { resumeRequestId })).kind).toBe("image");
      expect(server.calls.filter(({ method }) => method === "POST")).toHaveLength(1);
    }
  });
});

describe("a value of an answer", () => {
  const polled = (path: string) => ({
    poll: { keep: { job: "job" }, status: { path }, state: "state", done: ["done"] },
  });

  it("that is the URL of another host is not called, so that the key stays private", async () => {
    const elsewhere = await start(() => ({ status: 200, json: { state: "done" } }));
    const server = await start(() => ({ status: 200, json: { job: `${elsewhere.url}/job` } }));
    const outcome = await callAdapter(create(server.url, polled("{job}")));
    expect(outcome).toEqual({
      kind: "unknown",
      message: "the provider named a host that is not its own",
    });
    expect(elsewhere.calls).toEqual([]);
  });

  it.each(["../keys", "..", "a//b"])("cannot leave its place in a path: %s", async (job) => {
    const server = await start(() => ({ status: 200, json: { job } }));
    const outcome = await callAdapter(create(server.url, polled("jobs/{job}/state")));
    expect(outcome.kind).toBe("unknown");
    expect(server.calls).toHaveLength(1);
  });

  it("is encoded in a path", async () => {
    const server = await start(async ({ call }) =>
      call.method === "POST"
        ? { status: 200, json: { job: "a?b#c" } }
        : { status: 200, json: { state: "done", ...((await imageReply()).json as object) } },
    );
    expect((await callAdapter(create(server.url, polled("jobs/{job}")))).kind).toBe("image");
    expect(server.calls[1]?.path).toBe("/jobs/a%3Fb%23c");
  });
});

it("fetches an image from the server itself, by a path and with the key", async () => {
  const image = await makeImage({ width: 64, height: 64 }, "png", null);
  const server = await start(({ call }) =>
    call.method === "POST"
      ? { status: 200, json: { image: "/files/1.png" } }
      : call.headers.authorization === `Bearer ${apiKey}`
        ? { status: 200, bytes: image }
        : { status: 401, json: {} },
  );
  const provider = create(server.url, { answer: { image: { as: "own_url", at: "image" } } });
  expect((await callAdapter(provider)).kind).toBe("image");
  expect(server.calls[1]?.path).toBe("/files/1.png");
});

it.each([
  ["a negative prompt", { negativePrompt: "fog" }],
  ["steps", { parameters: { steps: 4 } }],
])("refuses %s that the request of the model lacks, without a call", async (_, wanted) => {
  const server = await start(imageReply);
  const provider = create(server.url, {
    requests: [
      { when: { models: ["plain-*"] }, path: "images", json: { prompt: "{prompt}" } },
      {
        path: "images",
        json: { prompt: "{prompt}", without: "{negative_prompt}", steps: "{steps}" },
      },
    ],
  });
  const outcome = await callAdapter(provider, { ...wanted, model: "plain-1" });
  expect(outcome.kind).toBe("invalid-request");
  expect(server.calls).toEqual([]);
  expect((await callAdapter(provider, { ...wanted, model: "other" })).kind).toBe("image");
});

it("repeats a lost call under the same key when the API has idempotency keys", async () => {
  const server = await start(imageReply);
  const provider = create(server.url, {
    repeat: "with_same_key",
    headers: { "idempotency-key": "{key}" },
  });
  expect(provider.lostCall).toBe("repeat-with-same-key");
  await callAdapter(provider, {}, { key: "0199c3a2" });
  expect(server.calls[0]?.headers["idempotency-key"]).toBe("0199c3a2");
});

it("sends fields of the presets over its own", async () => {
  const server = await start(imageReply);
  const provider = create(server.url, {
    requests: [{ path: "images", json: { prompt: "{prompt}", quality: "low", "...": "{extra}" } }],
  });
  await callAdapter(provider, { parameters: { extra: { quality: "high", style: [1] } } });
  expect(JSON.parse(String(server.calls[0]?.body))).toMatchObject({ quality: "high", style: [1] });
});
