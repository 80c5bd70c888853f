import type { AppError } from "@atelier/schemas";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createImageCutter } from "./cut-images.ts";

const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(1_000, 0xfb)]);
const base64 = png.toString("base64");
const members = {
  base64: new Set(["base64"]),
  urls: new Set(["image_url", "images", "url"]),
};

/** Cuts a text that arrives in parts of a size; the ids of its images are numbers. */
function cut(json: string, partBytes = json.length, maxImages = 4) {
  const body = Buffer.from(json);
  let next = 0;
  const cutter = createImageCutter(members, maxImages, () => `id-${next++}`);
  for (let at = 0; at < body.length; at += partBytes) {
    cutter.push(body.subarray(at, at + partBytes));
  }
  const { text, images } = cutter.end();
  return { body: JSON.parse(text.toString()) as unknown, images };
}

/** Cuts the images out of the texts of a chat. */
function cutTexts(json: string, partBytes: number) {
  const problems = new Map<unknown, AppError>();
  const texts = new Set(["content", "text"]);
  let next = 0;
  const accepted = { ...members, texts, problems, within: new Set(["messages"]) };
  const cutter = createImageCutter(accepted, 2, () => `id-${next++}`);
  for (let at = 0; at < json.length; at += partBytes) {
    cutter.push(Buffer.from(json.slice(at, at + partBytes)));
  }
  const { text, images } = cutter.end();
  return { body: JSON.parse(text.toString()) as unknown, images, problems };
}

const withSlashes = base64.replaceAll("/", String.raw`\/`);
const withLines = base64.replaceAll(/.{76}/g, String.raw`$&\r\n`);
const withCodes = base64.replaceAll("+", String.raw`\u002b`).replaceAll("=", String.raw`\u003D`);

describe("createImageCutter replaces by an id, however the body is divided,", () => {
  it.each([
    ["base64", `{"image":{"base64":"${base64}"},"n":1}`, "image.base64"],
    ["a data: URL", `{"image":{"base64":"data:image/png;base64,${base64}"},"n":1}`, "image.base64"],
    ["escaped slashes", `{"image":{"base64":"${withSlashes}"},"n":1}`, "image.base64"],
    ["lines", `{"image":{"base64":"${withLines}"},"n":1}`, "image.base64"],
    ["escaped digits", `{"image":{"base64":"${withCodes}"},"n":1}`, "image.base64"],
    [
      "URL-safe digits",
      `{"image":{"base64":"${png.toString("base64url")}"},"n":1}`,
      "image.base64",
    ],
    ["an item of a list", `{"images":["https://a/b","${base64}"],"n":1}`, "images.1"],
    [
      "a data: URL with parameters",
      `{"a":[{"image_url":{"url":"DATA:image\\/png;name=\\u0022a.png;BASE64,${base64}"}}],"n":1}`,
      "a.0.image_url.url",
    ],
  ])("%s", (_name, json, path) => {
    for (const partBytes of [1, 7, 64, json.length]) {
      const { body, images } = cut(json, partBytes);
      expect(images.map((image) => image.path)).toEqual([path]);
      expect(images[0]?.bytes.equals(png)).toBe(true);
      expect(images[0]?.sha256).toBe(createHash("sha256").update(png).digest("hex"));
      expect(JSON.stringify(body)).toContain('"id-0"');
      expect(JSON.stringify(body).length).toBeLessThan(100);
      expect(body).toHaveProperty("n", 1);
    }
  });
});

describe("createImageCutter cuts out of a text, however the body is divided,", () => {
  const prefix = "data:image/png;base64,";
  it.each([
    ["Markdown", `![a boat](${prefix}${base64})\n\nDone.`],
    ["HTML", `<img src="${prefix}${base64}">`],
    ["the whole text", `${prefix}${base64}`],
    ["a line before a backslash", `${prefix}${base64}\\ and so on`],
    ["another image before", `data:text/plain,x ${prefix},a ![](${prefix}${base64})`],
  ])("%s", (_name, text) => {
    const plain = JSON.stringify({ messages: [{ content: text }, { content: [{ text }] }] });
    for (const json of [plain, plain.replaceAll("/", String.raw`\/`)]) {
      for (const partBytes of [1, 7, 64, json.length]) {
        const { body, images } = cutTexts(json, partBytes);
        expect(images.map(({ path }) => path)).toEqual([
          "messages.0.content",
          "messages.1.content.0.text",
        ]);
        for (const { bytes } of images) expect(bytes.equals(png)).toBe(true);
        const left = (index: number) => text.replace(base64, images[index]?.id ?? "");
        const messages = [{ content: left(0) }, { content: [{ text: left(1) }] }];
        expect(JSON.stringify(body).replaceAll(/id-\d(?=,a)/g, "")).toBe(
          JSON.stringify({ messages }),
        );
      }
    }
  });

  it("but no image that cannot be used, and none outside of messages", () => {
    const value = { text: `${prefix}${base64}`, messages: [{ content: `(${prefix}AAAA) fox` }] };
    const { body, images, problems } = cutTexts(JSON.stringify(value), 64);
    expect(body).toEqual({ ...value, messages: [{ content: `(${prefix}id-0) fox` }] });
    expect([images.length, [...problems.keys()]]).toEqual([0, ["id-0"]]);
  });
});

describe("createImageCutter keeps", () => {
  it.each([
    { prompt: base64, url: "https://example.com/a.png", base65: base64 },
    { metadata: { base64: "aGVsbG8=", url: "data:text/plain,x" }, parameters: { base64: "x" } },
    { url: 'a "quoted" \\ text', image_url: "", base64: "" },
    { url: "ü€😀".repeat(100), images: ['\\"', "\\\\", 'x"'.repeat(150)] },
    { '"base64': "a", 'x\\"base64': "b", [`base64${"x".repeat(200)}`]: "c" },
    [["data:image/png;base64,AAAA"], "base64", { n: [1, 2, { a: null }] }],
  ])("%j as it is", (value) => {
    const json = JSON.stringify(value);
    for (const partBytes of [1, 3, 64, json.length]) {
      const { body, images } = cut(json, partBytes);
      expect(body).toEqual(value);
      expect(images).toEqual([]);
    }
  });
});

describe("createImageCutter refuses", () => {
  it.each([
    ["text that is not base64", '{"base64":"hello, world"}', "invalid_request"],
    ["digits after the padding", '{"base64":"iVBORw0KGgo==AAAA"}', "invalid_request"],
    ["a data: URL without base64", '{"url":"data:image/png,abc"}', "invalid_request"],
    ["a data: URL without a comma", '{"url":"data:image/png"}', "invalid_request"],
    [
      "another file",
      `{"base64":"${Buffer.alloc(99, "GIF89a").toString("base64")}"}`,
      "upload_invalid",
    ],
    ["another short file", '{"base64":"AAAA"}', "upload_invalid"],
    ["an image too many", JSON.stringify({ images: Array(5).fill(base64) }), "invalid_request"],
    [
      "more than 1 MB of text",
      JSON.stringify({ prompt: "x".repeat(1_048_577) }),
      "request_too_large",
    ],
  ])("%s", (_name, json, code) => {
    expect(() => cut(json)).toThrow(expect.objectContaining({ code }));
    expect(() => cut(json, 5)).toThrow(expect.objectContaining({ code }));
  });

  it("an image of more than 20 MB", () => {
    const json = JSON.stringify({ base64: base64.slice(0, -4) + "A".repeat(27_000_000) });
    expect(() => cut(json, 65_536)).toThrow(
      expect.objectContaining({
        code: "request_too_large",
        message: "base64 is larger than 20 MB. Send a smaller image.",
      }),
    );
  });
});

it.each([1, 7, 100_000])("createImageCutter keeps the last images, in parts of %i", (partBytes) => {
  const gif = `data:image/gif;base64,${Buffer.from("GIF89a").toString("base64")}`;
  const images = [
    gif,
    String.raw`data:text/plain,a \"quoted\" text \\`,
    String.raw`data:image/png;base64,iVBORw0KGgo\"`,
    String.raw`data:image/png;base64,iVBORw0KGgo\\`,
    `data:video/mp4;base64,${"AAAA".repeat(100)}`,
    ...Array.from({ length: 4 }, () => `data:image/png;base64,${base64}`),
  ];
  const json = Buffer.from(`{"images":[${images.map((one) => `"${one}"`).join()}],"n":1}`);
  const problems = new Map<unknown, AppError>();
  let next = 0;
  const cutter = createImageCutter({ ...members, problems }, 2, () => `id-${next++}`);
  for (let at = 0; at < json.length; at += partBytes) {
    cutter.push(json.subarray(at, at + partBytes));
  }
  const ended = cutter.end();
  const ids = Array.from({ length: images.length }, (_, index) => `id-${index}`);
  expect(JSON.parse(ended.text.toString())).toEqual({ images: ids, n: 1 });
  expect(ended.images.map(({ id }) => id)).toEqual(["id-7", "id-8"]);
  expect([...problems.keys()]).toEqual(ids.slice(0, 7));
  expect(problems.get("id-0")?.message).toContain("images.0");
  expect(problems.get("id-5")?.message).toContain("one image too many");
});
