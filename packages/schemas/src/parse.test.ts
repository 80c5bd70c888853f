import { describe, expect, it } from "vitest";
import * as z from "zod";
import { AppError } from "./errors.ts";
import { parseRequest, type RequestProblem } from "./parse.ts";
import { jobId, listJobsQuery } from "./jobs.ts";
import { diagramRequest } from "./operations/diagram.ts";
import { graphicRequest } from "./operations/graphic.ts";
import { imageRequest } from "./operations/image.ts";
import { sceneRequest } from "./operations/scene.ts";
import { storyRequest } from "./operations/story.ts";

const image = { model: "a", prompt: "b" };
const story = {
  model: "a",
  characters: [{ name: "Mira", description: "a girl" }],
  scenes: [{ prompt: "one" }, { prompt: "two" }],
};

/** Returns the error of a rejected request. */
function refusal(parse: () => unknown): AppError {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the request was accepted");
}

const refuseImage = (body: unknown) => refusal(() => parseRequest(imageRequest, body));
const refuseStory = (body: unknown) => refusal(() => parseRequest(storyRequest, body));

/** Returns the problems in `details`. */
function problemsOf({ details }: AppError): RequestProblem[] {
  return Array.isArray(details) ? details : [];
}

const only = (error: AppError) => problemsOf(error)[0];

describe("parseRequest", () => {
  it("returns a valid request with trimmed texts", () => {
    expect(parseRequest(imageRequest, image)).toEqual(image);
    expect(parseRequest(imageRequest, { ...image, prompt: "  b  " })).toEqual(image);
  });

  it("names one problem of a value with a wrong type or beyond several limits", () => {
    expect(problemsOf(refuseImage({ ...image, after: "upscale:2" }))).toEqual([
      { path: "after", code: "invalid_type", message: "must be a list" },
    ]);
    expect(problemsOf(refuseImage({ ...image, seed: 1e20 }))).toEqual([
      { path: "seed", code: "too_big", message: expect.stringContaining("4294967295") },
    ]);
  });

  it("treats null as absent for optional properties", () => {
    const read = parseRequest(imageRequest, {
      ...image,
      aspect_ratio: null,
      image_size: null,
      reference_images: null,
      strictness: null,
    });
    expect(JSON.stringify(read)).toBe(JSON.stringify(image));
    const [first] = parseRequest(storyRequest, {
      ...story,
      scenes: [{ prompt: "one", characters: null, location: null }, { prompt: "two" }],
    }).scenes;
    expect(first).toEqual({ prompt: "one" });
  });

  it("rejects null for required properties", () => {
    expect(refuseImage({ ...image, prompt: null }).details).toMatchObject([{ path: "prompt" }]);
  });

  it.each([
    ["prompt", { ...image, prompt: "  " }, "must not be empty"],
    ["prompt", { ...image, prompt: {} }, "must be text"],
    ["prompt", { ...image, prompt: "x".repeat(32_001) }, "must have at most 32000 characters"],
    ["strictness", { ...image, strictness: "lax" }, 'must be one of "normal", "liberal"'],
    ["reference_images", { ...image, reference_images: "none" }, "must be a list"],
  ])("describes an invalid %s", (path, body, message) => {
    expect(problemsOf(refuseImage(body))).toMatchObject([{ path, message }]);
  });

  it("describes an invalid key, list and number", () => {
    const [character] = story.characters;
    const states = { " x": { description: "y" } };
    expect(only(refuseStory({ ...story, characters: [{ ...character, states }] }))).toMatchObject({
      message: "keys must have 1 to 100 characters, and no space at either end",
    });
    expect(only(refuseStory({ ...story, scenes: story.scenes.slice(0, 1) }))).toMatchObject({
      message: "must have at least 2 items",
    });
    const limitOf = (limit: string) =>
      only(refusal(() => parseRequest(listJobsQuery, { limit })))?.message;
    expect(["many", "1.5", "0", "101"].map(limitOf)).toEqual([
      "must be a number",
      "must be a whole number",
      "must be at least 1",
      "must be at most 100",
    ]);
  });

  it("lists the accepted values of a missing enumeration as required", () => {
    const graphic = { model: "a", prompt: "b" };
    expect(only(refusal(() => parseRequest(graphicRequest, graphic)))).toEqual({
      path: "kind",
      code: "required",
      message: 'is required: one of "icon", "logo", "illustration"',
    });
  });

  it("says what a malformed id, day, time, URL and base64 text must be", () => {
    const formats = z.strictObject({
      id: z.uuid(),
      day: z.iso.date(),
      time: z.iso.datetime({ offset: true }),
      url: z.url(),
      bytes: z.base64(),
    });
    const malformed = { id: "1", day: "today", time: "2026-11-22", url: "example", bytes: "zz" };
    expect(problemsOf(refusal(() => parseRequest(formats, malformed)))).toMatchObject([
      { path: "id", message: "must be an id such as 019a9f3c-5f0e-7c31-9b7d-000000000001" },
      { path: "day", message: "must be a day such as 2026-11-22" },
      { path: "time", message: "must be a time such as 2026-11-22T12:00:00Z" },
      { path: "url", message: "must be a valid URL" },
      { path: "bytes", message: "must be base64" },
    ]);
  });

  it("says where a diagram in DOT or Mermaid belongs", () => {
    const diagram = { model: "a", prompt: "a → b", language: "dot" };
    expect(only(refusal(() => parseRequest(diagramRequest, diagram)))).toMatchObject({
      path: "language",
      message: "must be omitted with prompt: send DOT and Mermaid as source",
    });
  });

  it("counts one item in the singular", () => {
    expect(only(refuseStory({ ...story, characters: [] }))).toMatchObject({
      message: "must have at least 1 item",
    });
  });

  it("distinguishes a missing URL, another type and an invalid URL", () => {
    const urlProblem = (reference: object) =>
      only(
        refuseImage({ ...image, reference_images: [{ description: "a harbour", ...reference }] }),
      );
    const path = "reference_images.0.url";
    expect(urlProblem({})).toEqual({
      path: "reference_images.0",
      code: "custom",
      message:
        "must have exactly one of url, upload_id, base64, job_id, character_id and location_id; with job_id at most one of image, portrait and location; state only with portrait or character_id",
    });
    expect(urlProblem({ url: 1 })).toEqual({ path, code: "invalid_type", message: "must be text" });
    for (const url of [
      "harbour.png",
      "ftp://example.com/a.png",
      "https://example.com:99999/a.png",
    ]) {
      expect(urlProblem({ url })).toEqual({
        path,
        code: "invalid_format",
        message: "must be a valid HTTPS URL",
      });
    }
    const character = { name: "Mira", description: "a girl" };
    expect(
      only(refusal(() => parseRequest(sceneRequest, { ...image, characters: [character] }))),
    ).toEqual({
      path: "characters.0.reference",
      code: "custom",
      message: "is required, or reference_url",
    });
  });

  it("lists at most 50 problems", () => {
    const keys = Array.from({ length: 30 }, (_, index) => [`key${index}`, 1]);
    const unknown = Object.fromEntries(keys);
    const scenes = [1, 2, 3].map(() => ({ prompt: "", ...unknown }));
    expect(problemsOf(refuseStory({ ...story, scenes }))).toHaveLength(50);
  });

  it("lists every problem in details and the first one in the message", () => {
    const error = refuseImage({ prompt: "", strictness: "lax", extra: 1 });
    expect(error.code).toBe("invalid_request");
    expect(error.message).toBe(
      "model is required. Correct this and 3 more in details and send it again.",
    );
    const paths = problemsOf(error).map(({ path }) => path);
    expect(paths).toEqual(["model", "prompt", "strictness", "extra"]);
  });

  it.each([null, undefined, 1, "text", [], true])(
    "rejects the body %j with an empty path",
    (body) => {
      const error = refuseImage(body);
      expect(error.details).toEqual([expect.objectContaining({ path: "" })]);
      expect(error.message).not.toMatch(/^:/);
    },
  );
});

describe("unknown properties", () => {
  it.each([
    ["promt", "prompt"],
    ["PROMPT", "prompt"],
    ["aspectRatio", "aspect_ratio"],
    ["imageSize", "image_size"],
    ["reference_image", "reference_images"],
    ["stricness", "strictness"],
    // Names of other vendors.
    ["size", "image_size"],
    ["num_images", "n"],
    ["response_format", "output"],
    ["image_url", "reference_images"],
  ])("names %s and suggests %s", (given, meant) => {
    const error = refuseImage({ ...image, [given]: 1 });
    expect(error.details).toEqual([
      {
        path: given,
        code: "unknown_property",
        message: `is not a known property; did you mean "${meant}"?`,
      },
    ]);
  });

  it("suggests nothing if no known name is similar", () => {
    expect(only(refuseImage({ ...image, quality: "hd" }))).toMatchObject({
      message: "is not a known property",
    });
  });

  it("reports the nested path and suggests names known there", () => {
    expect(
      only(
        refuseImage({
          ...image,
          reference_images: [{ description: "x", url: "https://example.com/x", ulr: 1 }],
        }),
      ),
    ).toMatchObject({
      path: "reference_images.0.ulr",
      message: 'is not a known property; did you mean "url"?',
    });
    expect(
      only(refuseStory({ ...story, scenes: [{ prompt: "one", locaton: "x" }, { prompt: "two" }] })),
    ).toMatchObject({
      path: "scenes.0.locaton",
      message: 'is not a known property; did you mean "location"?',
    });
    const states = { rain: { description: "wet", descripton: "wet" } };
    expect(
      only(refuseStory({ ...story, characters: [{ ...story.characters[0], states }] })),
    ).toMatchObject({
      path: "characters.0.states.rain.descripton",
      message: 'is not a known property; did you mean "description"?',
    });
  });

  it("truncates long names", () => {
    const { path = "" } = only(refuseImage({ ...image, ["x".repeat(10_000)]: 1 })) ?? {};
    expect(path).toBe("x".repeat(100));
  });

  it("reports unknown query parameters", () => {
    expect(only(refusal(() => parseRequest(listJobsQuery, { limt: "1" })))).toMatchObject({
      path: "limt",
      message: 'is not a known property; did you mean "limit"?',
    });
  });
});

describe("jobId", () => {
  it("accepts upper case", () => {
    const id = "019a9f3c-5f0e-7c31-9b7d-00000000000a";
    expect(parseRequest(jobId, id.toUpperCase())).toBe(id);
  });
});
