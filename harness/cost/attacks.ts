import { hostileDiagrams } from "./hostile-diagrams.ts";
import { whitePng } from "../../packages/guarded-fetch/src/testing/images.ts";
import { createRandom, type Random } from "../shared/random.ts";

/** One request in its wire format. */
export interface Shot {
  readonly method: string;
  /** `{job}` stands for a completed job of the caller. */
  readonly path: string;
  /** `{port}` stands for the port of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** `{job}` stands for the same in a body of JSON. */
  readonly body: Buffer | null;
  /** Whether the body is sent in chunks, without its length. */
  readonly chunked?: boolean;
}

/** Requests of one kind, repeated over a few connections. */
interface RequestAttack {
  readonly kind: "requests";
  readonly shots: readonly Shot[];
}

/** Connections that are held open: each sends a text at once, and another one repeatedly. */
interface ConnectionAttack {
  readonly kind: "connections";
  readonly connections: number;
  /** `{key}` stands for a key of the attacker, `{job}` for a completed job of it. */
  readonly first?: string;
  readonly repeated?: string;
  /** Whether responses are left unread. */
  readonly isPaused?: boolean;
}

/** An attack by a hostile tenant. */
export type Attack = { readonly name: string } & (RequestAttack | ConnectionAttack);

const graphic = { model: "builtin-graphic", prompt: "a rocket", kind: "icon" };
const edit = {
  model: "builtin-illustrator",
  prompt: "a blue lake",
  image: { job_id: "{job}" },
};

const changed = { model: "builtin-illustrator", image: { job_id: "{job}" } };

function combination(images: number): object {
  const parts = Array.from({ length: images }, () => ({
    description: "a lighthouse",
    job_id: "{job}",
  }));
  return { model: "builtin-illustrator", prompt: "both", images: parts };
}

/** An edit with an image and a mask of 16 megapixels of another size. */
function openaiForm(): Buffer {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.png"\r\nContent-Type: image/png\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(field("model", "builtin-illustrator") + field("prompt", "a lake") + file("image")),
    whitePng(8_000, 5_000),
    Buffer.from(`\r\n${file("mask")}`),
    whitePng(4_000, 4_000),
    Buffer.from("\r\n--x--\r\n"),
  ]);
}

const json = { "Content-Type": "application/json", Prefer: "respond-async" };
/** The header that pages of Studio send with their requests. */
const studio = { "X-Atelier-Studio": "1" };
const image = { model: "fake-blind", prompt: "a lighthouse" };

/** A request of ten images with the bytes of their files in its response. */
export const inlineImages = {
  body: { model: "builtin-illustrator", prompt: "a lighthouse", n: 10, output: { inline: true } },
  /** Repeats of the request with this key are answered again and again, and make no image. */
  headers: { "Idempotency-Key": "inline" },
} as const;

/** Letters of the scripts of prompts: the first code point and the number of letters. */
const scripts: readonly (readonly [first: number, count: number])[] = [
  [0x61, 26], // Latin
  [0x430, 32], // Cyrillic
  [0x3b1, 24], // Greek
  [0x5d0, 27], // Hebrew
  [0x627, 28], // Arabic
  [0x905, 50], // Devanagari
  [0xe01, 40], // Thai
  [0xac00, 5_000], // Hangul
  [0x3041, 80], // Hiragana
  [0x4e00, 10_000], // Han
  [0x1f300, 300], // emoji
  [0x300, 100], // combining marks
];

function quote(operation: string, request: object): Shot {
  return post("/v1/quotes", Buffer.from(JSON.stringify({ operation, request })));
}

/** Quotes, which are free: diagrams and prompts at the limit of their length. */
function quotesOfTexts(): Shot[] {
  const fill = (part: string, length: number) => part.repeat(length / part.length);
  const diagram = (language: string, source: string) =>
    quote("diagram", { model: "builtin-diagram", language, source });
  return [
    diagram("mermaid", `graph LR\n${fill(`${"%".repeat(198)}a`, 19_900)}\u2028`),
    diagram("mermaid", `graph LR\nA${fill(" -- B--", 19_900)}`),
    diagram("mermaid", `graph LR\n${fill("a&", 9_900)}a --> ${fill("a&", 9_900)}a`),
    diagram("text", `${fill("a,", 9_900)} → ${fill("a,", 9_900)}`),
    diagram("text", fill("a b ", 19_900)),
    diagram("dot", `${fill("/**/", 19_900)}strict //\ngraph { a }`),
    ...["<a:", "“'", "Mr. ", ", and ", "\t \n", "@{"].map((part) =>
      quote("image", { ...image, prompt: `a${fill(part, 31_900)}` }),
    ),
  ];
}

/**
 * Creates all attacks; deterministic for a seed.
 *
 * @param connections number of connections of the attacks that only hold connections.
 */
export function createAttacks(seed: number, connections: number): readonly Attack[] {
  const random = createRandom(seed);
  const bodies: readonly (readonly [name: string, body: Buffer])[] = [
    ["flat array of 980 kB", Buffer.from(flatArray(490_000))],
    ["150,000 reference entries", Buffer.from(withReferences(150_000))],
    ["400,000 nested arrays", Buffer.from("[".repeat(400_000) + "]".repeat(400_000))],
    ["60,000 keys", Buffer.from(manyKeys(60_000, "key"))],
    // Within all limits of the scan, so that the parser and the schema are reached.
    ["9,900 reference entries", Buffer.from(withReferences(9_900))],
    ["1,900 unknown keys of 500 characters", Buffer.from(manyKeys(1_900, "k".repeat(495)))],
    ["64 levels of long keys", Buffer.from(nestedKeys(60, 16_000))],
    ["one string of 1 MB", Buffer.from(JSON.stringify({ ...image, prompt: "x".repeat(1e6) }))],
    ["1 MB of escapes", Buffer.from(`{"model":"${"\\u00e9".repeat(170_000)}"}`)],
    ["1 MB of backslashes", Buffer.from(`{"model":"${"\\\\".repeat(500_000)}"}`)],
    ["an unclosed string of 1 MB", Buffer.from(`{"model":"${"x".repeat(1e6)}`)],
    ["1 MB of spaces", Buffer.from(`${" ".repeat(1e6)}{}`)],
    ["1 MB that is not UTF-8", Buffer.alloc(1e6, 0xff)],
    ["a number of 1 MB", Buffer.from(`{"seed":${"9".repeat(1e6)}}`)],
    ["random JSON", Buffer.from(randomJson(random, 9_000))],
  ];
  const targets = ["/v1/generate/image", "/mcp"];
  const damaged = whitePng(64, 64).subarray(0, 64);
  return [
    ...bodies.map(([name, body]) =>
      requests(
        name,
        targets.map((path) => post(path, body)),
      ),
    ),
    requests(
      "prompts of 32,000 characters in 12 scripts",
      scripts.flatMap((script) => {
        const prompt = writeIn(script, 32_000, random);
        return [
          post("/v1/generate/image", Buffer.from(JSON.stringify({ ...image, prompt }))),
          post("/v1/generate/story", Buffer.from(JSON.stringify(storyOf(prompt)))),
        ];
      }),
    ),
    // For comparison with the next ones.
    requests("quotes of short texts", [
      quote("image", image),
      quote("diagram", { model: "builtin-diagram", prompt: "user → API → queue" }),
    ]),
    requests("quotes of texts that patterns match again and again", quotesOfTexts()),
    requests("MCP calls with hostile arguments", [
      post("/mcp", mcpCall({ ...image, reference_images: Array(9_000).fill(1) })),
      post(
        "/mcp",
        mcpCall(Object.fromEntries(Array.from({ length: 1_900 }, (_, i) => [`k${i}`, i]))),
      ),
    ]),
    requests(
      "malformed MCP messages",
      ["[]", "{}", "1", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"none"}'].map(
        (text) => post("/mcp", Buffer.from(text)),
      ),
    ),
    requests("bodies of 2 MB in chunks", [
      { ...post("/v1/generate/image", Buffer.alloc(2e6, " ")), chunked: true },
    ]),
    requests("a declared body of 99 MB", [
      {
        ...post("/v1/generate/image", Buffer.alloc(1_000, " ")),
        headers: { ...json, "Content-Length": "99000000" },
      },
    ]),
    requests("large headers", [
      get("/v1/account", { "X-Padding": "x".repeat(15_000) }),
      get("/v1/account", manyHeaders(400)),
      get("/v1/account", { "X-API-Key": "atl_live_".repeat(1_500) }),
      get("/v1/account", { Prefer: "wait,".repeat(3_000) }),
      get(`/v1/jobs?${"cursor=x&".repeat(1_500)}`, {}),
      get(`/v1/${"%C3%A9/".repeat(2_000)}`, {}),
      get("/v1/files/x", { Authorization: `Bearer ${" ".repeat(15_000)}x y` }),
    ]),
    requests("requests without a valid key", [
      {
        ...post("/v1/generate/image", bodies[0]?.[1] ?? Buffer.alloc(0)),
        headers: { ...json, Authorization: "Bearer none" },
      },
      get("/v1/jobs", { Authorization: "Bearer atl_live_000000000000000000000000000000000000" }),
    ]),
    requests("sign-ins to Studio with wrong keys and links", [
      // With a valid checksum, so that it is looked up.
      signIn({ key: "atl_live_0000000000000000000000000000002C8GjS" }),
      signIn({ key: "x".repeat(200) }),
      signIn({ link: "A".repeat(98) }),
      signIn({ link: "x".repeat(900) }),
      get("/studio/session", { ...studio, Cookie: `atelier_session_{port}=${"A".repeat(15_000)}` }),
      get("/v1/jobs", {
        ...studio,
        Authorization: "",
        Cookie: `atelier_session_{port}=${"A".repeat(200)}`,
      }),
    ]),
    requests("300 jobs in one burst", [
      post("/v1/generate/image", Buffer.from(JSON.stringify(image))),
    ]),
    requests("lists of jobs", [get("/v1/jobs?limit=100", {})]),
    requests("skill files and documents", [
      post("/v1/files/image-generation", Buffer.from("{}")),
      get("/openapi.json", {}),
      get("/docs/swagger-ui-bundle.js", {}),
    ]),
    requests("verification of images of 40 megapixels", [
      upload("image/png", whitePng(8_000, 5_000)),
    ]),
    requests("verification of files of 25 MB that are no images", [
      upload("image/png", Buffer.alloc(25 * 1_048_576)),
      { ...upload("image/png", Buffer.alloc(26 * 1_048_576)), chunked: true },
    ]),
    requests("verification of damaged images of 25 MB", [
      upload("image/png", Buffer.concat([damaged, Buffer.alloc(25e6)])),
    ]),
    requests("verification of forms with many parts", [
      upload("multipart/form-data; boundary=x", Buffer.from(manyParts(100_000))),
    ]),
    requests("verification of hashes", [
      upload("application/json", Buffer.from(JSON.stringify({ sha256: "0".repeat(64) }))),
    ]),
    requests("uploads of images of 40 megapixels", [
      upload("image/png", whitePng(8_000, 5_000), "/v1/uploads"),
    ]),
    requests("uploads of damaged images of 20 MB", [
      upload("image/png", Buffer.concat([damaged, Buffer.alloc(19e6)]), "/v1/uploads"),
      { ...upload("image/png", Buffer.alloc(21e6), "/v1/uploads"), chunked: true },
    ]),
    requests("upload forms with many parts", [
      upload("multipart/form-data; boundary=x", Buffer.from(manyParts(270_000)), "/v1/uploads"),
    ]),
    requests("job searches", [
      get("/v1/jobs?limit=100&q=a+lighthouse+at+dusk", {}),
      get("/v1/jobs?q=zebra", {}),
      get(`/v1/jobs?limit=100&q=${"a+".repeat(97)}dusk`, {}),
      get("/v1/jobs?q=lighthouse&metadata.order=7&status=failed&model=fake-blind", {}),
      get("/v1/jobs?limit=100&q=dusk&created_after=2000-01-01T00:00:00Z&status=cancelled", {}),
    ]),
    requests(
      "hostile diagrams",
      Object.values(hostileDiagrams()).map(({ body }) => sendJson("diagram", body)),
    ),
    requests("hostile palettes", [
      sendJson("graphic", { ...graphic, palette: Array(300_000).fill("#") }),
      sendJson("graphic", { ...graphic, palette: ["#".repeat(900_000)] }),
      sendJson("graphic", { ...graphic, palette: Array(8).fill("#1f6feb"), n: 10 }),
    ]),
    requests("edits of 10 images in a burst", [
      sendJson("edit", { ...edit, n: 10 }),
      sendJson("edit", { ...edit, mask: { job_id: "{job}", image: 9 }, n: 10 }),
    ]),
    requests("tools with the largest results", [
      sendJson("outpaint", {
        ...changed,
        left: 4_000,
        right: 4_000,
        bottom: 2_000,
        prompt: "a lake",
      }),
      sendJson("outpaint", { ...changed, left: 8_192, top: 8_192 }),
      sendJson("erase", { ...changed, mask: { job_id: "{job}" } }),
      sendJson("variations", { ...changed, n: 10 }),
      sendJson("vectorize", { ...changed, model: "builtin-tracer", colors: 64 }),
    ]),
    requests("combinations of five images", [
      sendJson("combine", { ...combination(5), n: 10 }),
      sendJson("combine", combination(9_000)),
    ]),
    requests("edits of 40 megapixels in forms", [
      {
        ...upload("multipart/form-data; boundary=x", openaiForm(), "/v1/images/edits"),
        headers: { "Content-Type": "multipart/form-data; boundary=x" },
      },
    ]),
    requests("lists of jobs by operation", [
      get("/v1/jobs?limit=100&operation=image", {}),
      get("/v1/jobs?limit=100&operation=edit&status=failed", {}),
    ]),
    requests("archives of jobs", [
      get("/v1/jobs/{job}/archive", {}),
      get("/v1/jobs/{job}/archive?format=webp", {}),
    ]),
    requests("results with inline images", [inlineShot()]),
    ...connectionAttacks(connections),
  ];
}

function connectionAttacks(connections: number): readonly Attack[] {
  const few = connections / 50;
  const held = (name: string, attack: Omit<ConnectionAttack, "kind">): Attack => ({
    name: `${attack.connections} ${name}`,
    kind: "connections",
    ...attack,
  });
  const document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
  const withKey = "Host: x\r\nAuthorization: Bearer {key}\r\n";
  return [
    held("silent connections", { connections }),
    held("slow writers", {
      connections: few,
      first: `POST /v1/generate/image HTTP/1.1\r\n${withKey}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
      repeated: " ",
    }),
    held("slow readers", { connections: few, first: document.repeat(4), isPaused: true }),
    held("connections with 20 requests at once", { connections: few, first: document.repeat(20) }),
    held("event streams that replay and are not read", {
      connections: few,
      first: `GET /v1/events HTTP/1.1\r\n${withKey}Last-Event-ID: 1\r\n\r\n`,
      isPaused: true,
    }),
    held("event streams of one job", {
      connections: few,
      first: `GET /v1/jobs/{job}/events HTTP/1.1\r\n${withKey}Last-Event-ID: 1\r\n\r\n`,
    }),
    held("archives that are not read", {
      connections: few,
      first: `GET /v1/jobs/{job}/archive HTTP/1.1\r\n${withKey}\r\n`,
      isPaused: true,
    }),
  ];
}

function requests(name: string, shots: readonly Shot[]): Attack {
  return { name, kind: "requests", shots };
}

function post(path: string, body: Buffer): Shot {
  const accept = { Accept: "application/json, text/event-stream" };
  return { method: "POST", path, headers: { ...json, ...accept }, body };
}

function inlineShot(): Shot {
  const { body, headers } = inlineImages;
  const shot = post("/v1/generate/image", Buffer.from(JSON.stringify(body)));
  return { ...shot, headers: { "Content-Type": "application/json", ...headers } };
}

function signIn(body: object): Shot {
  const headers = { ...json, ...studio };
  return {
    method: "POST",
    path: "/studio/session",
    headers,
    body: Buffer.from(JSON.stringify(body)),
  };
}

function sendJson(operation: string, body: object): Shot {
  return post(`/v1/generate/${operation}`, Buffer.from(JSON.stringify(body)));
}

function upload(type: string, body: Buffer, path = "/verify"): Shot {
  return { method: "POST", path, headers: { "Content-Type": type }, body };
}

function manyParts(parts: number): string {
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n1\r\n';
  return `${part.repeat(parts)}--x--`;
}

function get(path: string, headers: Readonly<Record<string, string>>): Shot {
  return { method: "GET", path, headers, body: null };
}

function flatArray(values: number): string {
  return `[${Array<number>(values).fill(1).join()}]`;
}

function withReferences(entries: number): string {
  const references = Array<string>(entries).fill("{}").join();
  return `{"model":"fake-blind","prompt":"x","reference_images":[${references}]}`;
}

function manyKeys(keys: number, prefix: string): string {
  return `{${Array.from({ length: keys }, (_, index) => `"${prefix}${index}":1`).join()}}`;
}

function nestedKeys(levels: number, keyLength: number): string {
  const key = `{"${"k".repeat(keyLength)}":`;
  return `${key.repeat(levels)}"\\u0000"${"}".repeat(levels)}`;
}

function storyOf(text: string): object {
  const scene = { prompt: text.slice(0, 4_000), characters: [{ name: "Mira" }] };
  return {
    model: "fake-blind",
    prompt: text.slice(0, 4_000),
    characters: [{ name: "Mira", description: text.slice(0, 1_000) }],
    scenes: Array.from({ length: 10 }, () => scene),
  };
}

function writeIn([first, count]: readonly [number, number], length: number, random: Random) {
  let text = "";
  while (text.length < length) {
    text += String.fromCodePoint(first + random.between(0, count - 1));
    if (random.next() < 0.15) text += " ";
  }
  return text.slice(0, length);
}

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-H${index}`, "value"]));
}

function mcpCall(input: object): Buffer {
  const params = { name: "generate_image", arguments: input };
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
}

/** Returns random JSON with about this number of values. */
function randomJson(random: Random, values: number): string {
  const write = (left: number, depth: number): string => {
    if (left <= 1 || depth > 30) return random.pick(["1", "null", '"x"', "-0.5e9", '"\\ud800"']);
    const parts = random.between(1, 8);
    const inner = Array.from({ length: parts }, () => write(left / parts, depth + 1));
    return random.next() < 0.5
      ? `[${inner.join()}]`
      : `{${inner.map((value, index) => `"p${index}":${value}`).join()}}`;
  };
  return write(values, 0);
}
