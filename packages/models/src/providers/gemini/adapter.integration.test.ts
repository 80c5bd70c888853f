import { createGeminiProvider } from "./gemini.ts";
import type { ProviderOutcome, ProviderReference } from "../../provider.ts";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callAdapter, sizeOf } from "../testing/call-adapter.ts";
import { makeImage, type ProtocolServer } from "../testing/protocol-server.ts";
import { startGeminiServer } from "./server.ts";

const apiKey = "AIzaSyAtelierTest0123456789abcdefghijkl";
const model = "gemini-3-pro-image";

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
}
interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

describe("the thinking level", () => {
  it.each([
    ["gemini-nano-banana-2.1", "high", { thinkingLevel: "HIGH" }],
    ["gemini-nano-banana-2.1", undefined, undefined],
    // It thinks as much as it wants.
    ["gemini-3-pro-image", "high", undefined],
  ] as const)("of %s with the setting %s is sent as %j", async (name, thinking, sent) => {
    const server = await startGeminiServer({ apiKey });
    try {
      const baseUrl = `${server.url}/v1beta`;
      const provider = createGeminiProvider({ apiKey, baseUrl, thinking });
      expect(await callAdapter(provider, { model: name })).toMatchObject({ kind: "image" });
      const { generationConfig } = JSON.parse(server.calls[0]?.body.toString() ?? "") as {
        generationConfig: Record<string, unknown>;
      };
      expect(generationConfig["thinkingConfig"]).toEqual(sent);
    } finally {
      await server.close();
    }
  });
});

describe("stories through the Gemini adapter", () => {
  let server: ProtocolServer;
  let portrait: ProviderReference;

  beforeAll(async () => {
    server = await startGeminiServer({ apiKey });
    portrait = {
      role: "character",
      name: "Mira",
      description: "a girl in a red coat",
      bytes: await makeImage({ width: 64, height: 64 }, "png", null),
      mediaType: "image/png",
    };
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  function draw(prompt: string, previousTurn: unknown, references: readonly ProviderReference[]) {
    const provider = createGeminiProvider({ apiKey, baseUrl: `${server.url}/v1beta` });
    return provider.generate(
      {
        model,
        prompt,
        aspectRatio: "4:3",
        imageSize: "1K",
        seed: 2 ** 31 + 5,
        references,
        previousTurn,
      },
      {
        signal: new AbortController().signal,
        key: "render-1",
        resumeRequestId: null,
        onRequestId: () => Promise.reject(new Error("has no request ids")),
      },
    );
  }

  /** Returns the turn as read back from the database (a JSON round trip). */
  function turnOf(outcome: ProviderOutcome): unknown {
    expect(outcome.kind).toBe("image");
    return outcome.kind === "image" ? JSON.parse(JSON.stringify(outcome.turn)) : null;
  }

  function lastContents(): readonly Content[] {
    const body = server.calls.at(-1)?.body.toString() ?? "";
    return (JSON.parse(body) as { contents: readonly Content[] }).contents;
  }

  const picturesOf = (content: Content | undefined): readonly Part[] =>
    content?.parts.filter(({ inlineData, thought }) => inlineData && thought !== true) ?? [];

  it("sends earlier turns with the model's parts and signatures unchanged", async () => {
    const first = await draw("Mira wakes up", null, [portrait]);
    expect(lastContents()).toHaveLength(1);
    const second = await draw("Mira leaves the house", turnOf(first), [portrait]);
    await draw("Mira sees the sea", turnOf(second), [portrait]);

    const contents = lastContents();
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user", "model", "user"]);
    const userTurns = contents
      .filter(({ role }) => role === "user")
      .map(({ parts }) => parts.at(-1));
    expect(userTurns).toEqual([
      { text: "Mira wakes up" },
      { text: "Mira leaves the house" },
      { text: "Mira sees the sea" },
    ]);
    const drawn = [first, second].map((outcome) =>
      outcome.kind === "image" ? Buffer.from(outcome.image.bytes).toString("base64") : "",
    );
    const replayed = contents.filter(({ role }) => role === "model").flatMap(picturesOf);
    expect(replayed.map(({ inlineData }) => inlineData?.data)).toEqual(drawn);
    expect(new Set(replayed.map(({ thoughtSignature }) => thoughtSignature)).size).toBe(2);
    // All parts are sent back, including thoughts.
    expect(contents[1]?.parts.filter(({ thought }) => thought === true)).toHaveLength(2);
  });

  it("sends references as images after their names and the previous scene once", async () => {
    const before: ProviderReference = { ...portrait, role: "previous-scene", name: null };
    const first = await draw("Mira wakes up", null, [portrait, before]);
    expect(picturesOf(lastContents()[0])).toHaveLength(2);

    await draw("Mira leaves the house", turnOf(first), [portrait, before]);
    const parts = lastContents().at(-1)?.parts ?? [];
    const data = Buffer.from(portrait.bytes).toString("base64");
    expect(parts).toEqual([
      { text: 'Image 1 is a reference (character "Mira"): a girl in a red coat' },
      { inlineData: { mimeType: "image/png", data } },
      { text: "Mira leaves the house" },
    ]);
  });

  it("uses the final image, not a draft from the model's thoughts", async () => {
    // The protocol server's drafts are 64 pixels wide and would fail the size check.
    expect((await draw("Mira wakes up", null, [])).kind).toBe("image");
  });

  it("starts a new conversation after a turn of another model or provider", async () => {
    const turn = turnOf(await draw("Mira wakes up", null, [])) as object;
    for (const foreign of [{ ...turn, model: "gemini-0" }, { seen: "x" }, "turn", 7]) {
      expect((await draw("Mira leaves the house", foreign, [])).kind).toBe("image");
      expect(lastContents()).toHaveLength(1);
    }
  });

  it("drops the oldest exchanges of a long story", async () => {
    const turn = turnOf(await draw("Mira wakes up", null, [])) as { contents: Content[] };
    const long = { role: "user", parts: [{ text: "x".repeat(7_000_000) }] };
    const old = turn.contents.slice(1);
    const longTurn = { ...turn, contents: [long, ...old, long, ...old, ...turn.contents] };
    const outcome = await draw("Mira leaves the house", longTurn, []);
    const next = turnOf(outcome) as { contents: Content[] };
    expect(JSON.stringify(next).length).toBeLessThan(12_000_000);
    expect(next.contents.map(({ role }) => role)).toEqual([
      "user",
      "model",
      "user",
      "model",
      "user",
      "model",
    ]);
    expect((await draw("Mira sees the sea", next, [])).kind).toBe("image");
  });

  it("starts a new conversation with the previous scene as a reference when it is too long", async () => {
    const turn = turnOf(await draw("Mira wakes up", null, [])) as { contents: Content[] };
    const [said, drawn] = turn.contents;
    const draft = { thought: true, inlineData: { mimeType: "image/png", data: "A".repeat(1.2e7) } };
    const tooLong = { ...turn, contents: [said, { ...drawn, parts: [draft] }] };
    const before: ProviderReference = { ...portrait, role: "previous-scene", name: null };
    expect((await draw("Mira leaves the house", tooLong, [before])).kind).toBe("image");
    expect(lastContents().map(({ role }) => role)).toEqual(["user"]);
    expect(picturesOf(lastContents()[0])).toHaveLength(1);
  });

  for (const [lane, when, saidLength, count, edge] of [
    [{}, "few at the beginning of a story", 0, 5, 1536],
    [{ tags: "full" }, "many late in a story", 11_000_000, 11, 1024],
  ] as const) {
    it(`scales large references down to keep a request under 20 MB: ${when}`, lane, async () => {
      const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
      const create = { width: 2048, height: 1024, channels: 3, background: "#888", noise } as const;
      const bytes = await sharp({ create }).png().toBuffer();
      const large: ProviderReference = { ...portrait, name: "Otto", bytes };
      const turn = turnOf(await draw("Mira wakes up", null, [])) as { contents: Content[] };
      const said = { role: "user", parts: [{ text: "x".repeat(saidLength) }] };
      const longTurn = { ...turn, contents: [said, ...turn.contents.slice(1)] };
      const references = [portrait, ...Array.from({ length: count }, () => large)];
      expect((await draw("They meet", longTurn, references)).kind).toBe("image");
      expect(server.calls.at(-1)?.body.byteLength).toBeLessThan(20_000_000);

      const [small, ...others] = picturesOf(lastContents().at(-1));
      expect(small?.inlineData?.data).toBe(Buffer.from(portrait.bytes).toString("base64"));
      expect(others).toHaveLength(count);
      for (const { inlineData } of others) {
        expect(inlineData?.mimeType).toBe("image/jpeg");
        const picture = sharp(Buffer.from(inlineData?.data ?? "", "base64"));
        const { format, width, height } = await picture.metadata();
        expect({ format, width, height }).toEqual({
          format: "jpeg",
          width: edge,
          height: edge / 2,
        });
      }
    });
  }

  it("treats a text response as a transient failure", async () => {
    server.behave({ kind: "refusal", shape: "text" });
    expect(await draw("Mira wakes up", null, [])).toEqual({
      kind: "unavailable",
      message: "no image was made: STOP",
      retryAfterMs: null,
    });
  });

  it("refuses an unknown aspect ratio or size without a call", async () => {
    const from = server.calls.length;
    const provider = createGeminiProvider({ apiKey, baseUrl: `${server.url}/v1beta` });
    for (const [aspectRatio, imageSize] of [
      ["7:5", "1K"],
      ["1:1", "8K"],
      ["constructor", "constructor"],
    ] as const) {
      const outcome = await provider.generate(
        {
          model,
          prompt: "Mira",
          aspectRatio,
          imageSize,
          seed: 1,
          references: [],
          previousTurn: null,
        },
        {
          signal: new AbortController().signal,
          key: "render-1",
          resumeRequestId: null,
          onRequestId: () => Promise.resolve(),
        },
      );
      expect(outcome.kind).toBe("invalid-request");
    }
    expect(server.calls.length).toBe(from);
  });
});

describe("aspect ratios of Nano Banana 2.1", () => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await startGeminiServer({ apiKey });
  });
  afterAll(() => server.close());

  it.each([
    ["1:4", 512, 2048],
    ["4:1", 2048, 512],
    ["1:8", 384, 3072],
    ["8:1", 3072, 384],
  ])("include %s", async (aspectRatio, width, height) => {
    const provider = createGeminiProvider({ apiKey, baseUrl: `${server.url}/v1beta` });
    const outcome = await callAdapter(provider, { model: "gemini-nano-banana-2.1", aspectRatio });
    expect(await sizeOf(outcome)).toEqual({ width, height });
  });
});
