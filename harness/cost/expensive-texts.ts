import type { Shot } from "./attacks.ts";
import { createRandom } from "../shared/random.ts";

/** Makes one request after another. */
type Shots = (turn: number) => Shot;

/** Texts of one operation, within its documented limits, that cost more than ordinary ones. */
export interface ExpensiveTexts {
  readonly operation: string;
  /** Jobs of each request, which its cost is divided by. Default: 1. */
  readonly jobs?: number;
  /** Requests of one key in a minute. */
  readonly perMinute: number;
  /** An everyday text of an ordinary length. */
  readonly ordinary: Shots;
  /** Everyday texts of the lengths of the expensive ones, by their alphabets, whose letters differ in bytes. */
  readonly sameLength: Readonly<Record<string, Shots>>;
  readonly texts: Readonly<Record<string, Shots>>;
}

/** Ids of what the attacker's account has before it sends texts. */
export interface Owned {
  readonly jobId: string;
  readonly collectionId: string;
  readonly characterId: string;
}

/** Default limits of one key (`.env.example`). */
const generations = 300;
const others = 1_200;
const verifications = 30;

/** Lines of a batch, of 1 to 3 MB when they have the longest prompts. */
const batchLines = 30;

const sentences =
  "A lighthouse at dusk, waves against the rocks. Two fishing boats return to the harbour, and gulls circle above them. " +
  "In the market, a woman with a straw hat sells oranges, bread and yellow flowers. Behind the hills, the first stars appear. ";
const japanese =
  "夕暮れの灯台、岩に砕ける波。二艘の漁船が港に戻り、かもめが上を舞う。市場では麦わら帽子の女性がみかんとパンと黄色い花を売っている。";
const russian =
  "Маяк в сумерках, волны бьются о скалы. Две рыбацкие лодки возвращаются в гавань, и над ними кружат чайки. На рынке женщина в соломенной шляпе продаёт апельсины, хлеб и жёлтые цветы. ";
const everyday = (length: number) => `${fill(sentences, length - 1)}.`;
/** Everyday texts by the alphabet, whose letters have one, two and three bytes. */
const alphabets = {
  Latin: everyday,
  Cyrillic: (length: number) => `${fill(russian, length - 1)}.`,
  Japanese: (length: number) => fill(japanese, length),
};
const shortText = "a lighthouse at dusk, waves against the rocks";

function fill(part: string, length: number): string {
  const repeated = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  // Not half of a character.
  return repeated.isWellFormed() ? repeated : repeated.slice(0, -1);
}

/** Length of the texts of a story, which has at most 100,000 characters. */
const storyLength = 5_800;

/** Words of random letters. Moderation looks up each of them and finds none. */
function meaningless(length: number, first: number, letters: number): string {
  const random = createRandom(7);
  let text = "";
  while (text.length < length) {
    text += String.fromCodePoint(first + random.between(0, letters - 1));
    if (random.next() < 0.15) text += " ";
  }
  return fill(text, length);
}

/** Prompts whose patterns, words or characters cost much for each character. */
const prompts: Readonly<Record<string, (length: number) => string>> = {
  "commands of engines": (length) => fill("a <a:", length),
  "brackets of LoRAs": (length) => fill("<lora:a ", length),
  quotes: (length) => fill("a“'", length),
  "ends of sentences": (length) => fill("Mr. ", length),
  lists: (length) => fill("a, and ", length),
  spaces: (length) => `a${fill(" \t  ", length - 2)}b`,
  emoji: (length) => fill("👩‍👩‍👧", length),
  "combining marks": (length) => fill("á̧̖", length),
  "letters of other scripts": (length) => fill("раураl ", length),
  "spaced letters": (length) => fill("n a k e d ", length),
  "invisible characters": (length) => fill("n\u200Ba\u200Bk\u00ADe\u2060d ", length),
  "digits for letters": (length) => fill("n4k3d ", length),
  lines: (length) => fill("a\n", length),
  "control characters": (length) => `x${fill('\u0001"\\', length - 2)}x`,
  base64: (length) => fill("bmFrZWQgY2hpbGQgbmFrZWQgY2hpbGQg ", length),
  "meaningless Latin words": (length) => meaningless(length, 0x61, 26),
  "meaningless Arabic words": (length) => meaningless(length, 0x627, 28),
  "meaningless Thai words": (length) => meaningless(length, 0xe01, 40),
  "meaningless Han words": (length) => meaningless(length, 0x4e00, 10_000),
  "words of the rules": (length) => fill("a nude girl of 9 and a boy of 12, ", length),
};

/** Diagrams whose parsers read each character more than once. */
const diagrams: Readonly<Record<string, readonly [language: string, source: string]>> = {
  "comments of Mermaid": ["mermaid", `graph LR\n${fill(`${"%".repeat(198)}a`, 19_900)}\u2028`],
  "open links of Mermaid": ["mermaid", `graph LR\nA${fill(" -- B--", 19_900)}`],
  "groups of Mermaid": ["mermaid", `graph LR\n${fill("a&", 9_900)}a --> ${fill("a&", 9_900)}a`],
  "lists of words": ["text", `${fill("a,", 9_900)} → ${fill("a,", 9_900)}`],
  "words without arrows": ["text", fill("a b ", 19_900)],
  "comments of DOT": ["dot", `${fill("/**/", 19_900)}strict //\ngraph { a }`],
};

const fakeModel = "fake-blind";
const image = (prompt: string, more: object = {}) => ({ model: fakeModel, prompt, ...more });
const json = { "Content-Type": "application/json", Prefer: "respond-async" };

function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Shot {
  return send("POST", path, body, headers);
}

function send(
  method: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Shot {
  return {
    method,
    path,
    headers: { ...json, ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): Shot {
  return { method: "GET", path, headers, body: null };
}

/** The same request each time, whose body is written once. */
const same = (shot: Shot) => () => shot;

const quote = (operation: string, request: object) =>
  same(post("/v1/quotes", { operation, request }));

/** A story of the greatest length whose texts name its characters. */
function story(
  text: (length: number) => string,
  nameOf: (index: number) => string,
  length: number,
) {
  const names = Array.from({ length: 10 }, (_, index) => nameOf(index));
  return {
    model: fakeModel,
    title: text(100),
    characters: names.map((name) => ({ name, description: `x${text(length / 4)}` })),
    scenes: Array.from({ length: 10 }, () => ({
      prompt: `x${text(length / 2)}`,
      characters: names.slice(0, 4),
    })),
  };
}

const parametersOf = (text: (length: number) => string) => ({
  sampler: text(100),
  scheduler: text(100),
  loras: Array.from({ length: 8 }, () => ({ name: text(200), weight: 1 })),
});

const metadataOf = (text: (length: number) => string) =>
  Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}${text(60)}`, text(500)]));

function lines(prompt: string): Shot {
  const line = `${JSON.stringify({ operation: "image", body: image(prompt) })}\n`;
  return {
    method: "POST",
    path: "/v1/batches",
    headers: { "Content-Type": "application/jsonl" },
    body: Buffer.from(line.repeat(batchLines)),
  };
}

/** A file of SVG, which is parsed to find its manifest. */
function svg(inside: (length: number) => string, length: number): Shot {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside(length)}</svg>`;
  return {
    method: "POST",
    path: "/verify",
    headers: { "Content-Type": "image/svg+xml" },
    body: Buffer.from(body),
  };
}

const search = (words: string) => same(get(`/v1/jobs?limit=20&q=${encodeURIComponent(words)}`));

/** All of them, for an account that owns a job, a collection and a character. */
export function createExpensiveTexts({
  jobId,
  collectionId,
  characterId,
}: Owned): readonly ExpensiveTexts[] {
  const collection = (name: string) =>
    same(send("PATCH", `/v1/collections/${collectionId}`, { name }));
  const character = (body: object) => same(send("PATCH", `/v1/characters/${characterId}`, body));
  const title = (text: string) => same(send("PATCH", `/v1/jobs/${jobId}`, { title: text }));
  const preset = (request: object) =>
    same(post("/v1/presets", { name: "Cover", operation: "image", request }));
  const read = (headers: Readonly<Record<string, string>>) =>
    same(get(`/v1/jobs/${jobId}`, headers));
  const generate = (operation: string, body: object, headers = {}) =>
    same(post(`/v1/generate/${operation}`, body, headers));
  const marks = (length: number) => fill("é̖", length);
  const path = (length: number) => `<path d="${fill("M0 0L9 9", length)}"/>`;

  const imageOf = (prompt: string) => generate("image", image(prompt, { n: 10 }));
  const quoteOf = (prompt: string) => quote("image", image(prompt, { n: 10 }));
  const logo = (prompt: string) =>
    quote("graphic", { model: "builtin-graphic", kind: "logo", prompt });
  const storyOf = (text: (length: number) => string, length: number) =>
    generate(
      "story",
      story(text, (index) => `Mira ${index}`, length),
    );
  const nameList = (length: number) => fill("Mira 1, Mira 11 and Mira 2 ", length);

  return [
    {
      operation: "image",
      perMinute: generations,
      ordinary: imageOf(shortText),
      sameLength: mapValues(alphabets, (text) => imageOf(text(32_000))),
      texts: mapValues(prompts, (text) => imageOf(text(32_000))),
    },
    {
      operation: "image, other fields",
      perMinute: generations,
      ordinary: generate("image", image(shortText)),
      sameLength: {
        Latin: generate("image", image(shortText, { metadata: metadataOf(everyday) })),
      },
      texts: {
        metadata: generate("image", image(shortText, { metadata: metadataOf(marks) })),
        "Idempotency-Key": (turn) =>
          post("/v1/generate/image", image(shortText), {
            "Idempotency-Key": `${turn}${"\\".repeat(240)}`,
          }),
        Prefer: generate("image", image(shortText), {
          Prefer: `respond-async,${fill('a=";', 14_000)}`,
        }),
      },
    },
    {
      operation: "quote of an image",
      perMinute: others,
      ordinary: quoteOf(shortText),
      sameLength: mapValues(alphabets, (text) => quoteOf(text(32_000))),
      texts: {
        ...mapValues(prompts, (text) => quoteOf(text(32_000))),
        parameters: quote("image", image(shortText, { parameters: parametersOf(marks) })),
      },
    },
    {
      operation: "quote of a diagram",
      perMinute: others,
      ordinary: quote("diagram", { model: "builtin-diagram", prompt: "user → API → queue" }),
      sameLength: {
        Latin: quote("diagram", {
          model: "builtin-diagram",
          language: "dot",
          source: `digraph { a -> b [label="${everyday(1_000)}"] } // ${everyday(18_800)}`,
        }),
      },
      texts: mapValues(diagrams, ([language, source]) =>
        quote("diagram", { model: "builtin-diagram", language, source }),
      ),
    },
    {
      operation: "quote of a graphic",
      perMinute: others,
      ordinary: logo(shortText),
      sameLength: mapValues(alphabets, (text) => logo(text(32_000))),
      texts: { quotes: logo(fill("a“'", 32_000)), words: logo(fill("ab cd ", 32_000)) },
    },
    {
      operation: "story",
      perMinute: generations,
      ordinary: storyOf(everyday, 200),
      sameLength: mapValues(alphabets, (text) => storyOf(text, storyLength)),
      texts: {
        "names of its characters": storyOf(nameList, storyLength),
        "combining marks": storyOf(marks, storyLength),
        "meaningless words": storyOf((length) => meaningless(length, 0x61, 26), storyLength),
        "names of 100 marks": generate(
          "story",
          story(everyday, (index) => `${index}${marks(99)}`, 200),
        ),
      },
    },
    {
      operation: "line of a batch",
      jobs: batchLines,
      perMinute: generations / batchLines,
      ordinary: same(lines(shortText)),
      sameLength: mapValues(alphabets, (text) => same(lines(text(32_000)))),
      texts: {
        "meaningless words": same(lines(meaningless(32_000, 0x61, 26))),
        escapes: same(lines(`x${fill('\u0001"\\', 31_000)}x`)),
      },
    },
    {
      operation: "collection",
      perMinute: others,
      ordinary: collection("Covers of May"),
      sameLength: { Latin: collection(everyday(100)) },
      texts: { marks: collection(marks(100)) },
    },
    {
      operation: "title",
      perMinute: others,
      ordinary: title("The lost kite, second try"),
      sameLength: { Latin: title(everyday(200)) },
      texts: { marks: title(marks(200)) },
    },
    {
      operation: "preset",
      perMinute: others,
      ordinary: preset({ prompt: shortText }),
      sameLength: { Latin: preset({ prompt: everyday(39_000) }) },
      texts: {
        marks: preset({ prompt: marks(19_000) }),
      },
    },
    {
      operation: "character",
      perMinute: others,
      ordinary: character({ name: "Mira", description: "a woman with long red hair" }),
      sameLength: { Latin: character({ name: everyday(100), description: everyday(4_000) }) },
      texts: { marks: character({ name: marks(100), description: marks(4_000) }) },
    },
    {
      operation: "headers",
      perMinute: others,
      ordinary: read({ "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)" }),
      sameLength: { Latin: read({ "X-Padding": everyday(14_000) }) },
      texts: {
        "User-Agent": read({ "User-Agent": fill("a/1.0 (;;", 14_000) }),
        Prefer: read({ Prefer: fill("wait=1,", 14_000) }),
        "X-Request-Id": read({ "X-Request-Id": fill("a-", 14_000) }),
        Accept: read({
          "Accept-Language": fill("en;q=0.1,", 5_000),
          "Accept-Encoding": fill("gzip;q=0.1,", 5_000),
          Accept: fill("a/b;q=0.1,", 4_000),
        }),
      },
    },
    {
      operation: "search",
      perMinute: others,
      ordinary: search("lighthouse dusk"),
      sameLength: { Latin: search(everyday(200)) },
      texts: {
        letters: search(`${fill("a ", 196)}dusk`),
        marks: search(marks(200)),
        operators: search(fill("a|b&!(c:*) <-> ", 200)),
        metadata: same(
          get(
            `/v1/jobs?${Array.from({ length: 16 }, (_, index) => `metadata.${index}=${fill("%C3%A9", 480)}`).join("&")}`,
          ),
        ),
      },
    },
    {
      operation: "verification of SVG",
      perMinute: verifications,
      ordinary: same(svg(path, 2_000)),
      sameLength: { Latin: same(svg(path, 1_000_000)) },
      texts: {
        elements: same(
          svg((length) => fill("<a>", length / 2) + fill("</a>", length / 2), 1_000_000),
        ),
        attributes: same(svg((length) => `<a ${fill("b='' ", length)}/>`, 1_000_000)),
        comments: same(svg((length) => `<!${fill("--", length)}>`, 1_000_000)),
      },
    },
  ];
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
