import { describe, expect, it } from "vitest";
import { AppError } from "./errors.ts";
import { parseRequest, type RequestProblem } from "./parse.ts";
import { imageRequest, jobId, listJobsQuery, sceneRequest, storyRequest } from "./requests.ts";

const image = { model: "a", prompt: "b" };
const story = {
  model: "a",
  characters: [{ name: "Mira", description: "a girl" }],
  scenes: [{ prompt: "one" }, { prompt: "two" }],
};

/** What a request is refused with. */
function refusal(parse: () => unknown): AppError {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

const refuseImage = (body: unknown) => refusal(() => parseRequest(imageRequest, body));
const refuseStory = (body: unknown) => refusal(() => parseRequest(storyRequest, body));

/** The problems of a refusal, as a client reads them. */
function problemsOf({ details }: AppError): RequestProblem[] {
  return Array.isArray(details) ? details : [];
}

const only = (error: AppError) => problemsOf(error)[0];

describe("a request", () => {
  it("that keeps to its schema is read", () => {
    expect(parseRequest(imageRequest, image)).toEqual(image);
    expect(parseRequest(imageRequest, { ...image, prompt: "  b  " })).toEqual(image);
  });

  it("may say null for what may be absent", () => {
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

  it("may not say null for what is needed", () => {
    expect(refuseImage({ ...image, prompt: null }).details).toMatchObject([{ path: "prompt" }]);
  });

  it.each([
    ["prompt", { ...image, prompt: "  " }, "must not be empty"],
    ["prompt", { ...image, prompt: {} }, "must be text"],
    ["prompt", { ...image, prompt: "x".repeat(32_001) }, "must have at most 32000 characters"],
    ["strictness", { ...image, strictness: "lax" }, 'must be one of "normal", "liberal"'],
    ["reference_images", { ...image, reference_images: "none" }, "must be a list"],
  ])("is told in plain words what is wrong with %s", (path, body, message) => {
    expect(problemsOf(refuseImage(body))).toMatchObject([{ path, message }]);
  });

  it("is told in plain words what is wrong with a name, a list and a number", () => {
    const [character] = story.characters;
    const states = { " x": { description: "y" } };
    expect(only(refuseStory({ ...story, characters: [{ ...character, states }] }))).toMatchObject({
      message: "its name must have 1 to 100 characters, and no space at either end",
    });
    expect(only(refuseStory({ ...story, scenes: [] }))).toMatchObject({
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

  it("is told whether a URL is absent, no text, or no URL", () => {
    const urlProblem = (reference: object) =>
      only(
        refuseImage({ ...image, reference_images: [{ description: "a harbour", ...reference }] }),
      );
    const path = "reference_images.0.url";
    expect(urlProblem({})).toEqual({ path, code: "required", message: "is required" });
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
    ).toMatchObject({ path: "characters.0.reference_url", code: "required" });
  });

  it("is not told of more than fifty problems", () => {
    const keys = Array.from({ length: 30 }, (_, index) => [`key${index}`, 1]);
    const unknown = Object.fromEntries(keys);
    const scenes = [1, 2, 3].map(() => ({ prompt: "", ...unknown }));
    expect(problemsOf(refuseStory({ ...story, scenes }))).toHaveLength(50);
  });

  it("is refused with every problem, and the first one in the message", () => {
    const error = refuseImage({ prompt: "", strictness: "lax", extra: 1 });
    expect(error.code).toBe("invalid_request");
    expect(error.message).toBe(
      "model: is required. Details tell of 3 more. Correct the request and send it again.",
    );
    const paths = problemsOf(error).map(({ path }) => path);
    expect(paths).toEqual(["model", "prompt", "strictness", "extra"]);
  });

  it.each([null, undefined, 1, "text", [], true])("that is %j is refused as a whole", (body) => {
    const error = refuseImage(body);
    expect(error.details).toEqual([expect.objectContaining({ path: "" })]);
    expect(error.message).not.toMatch(/^:/);
  });
});

describe("an unknown property", () => {
  it.each([
    ["promt", "prompt"],
    ["PROMPT", "prompt"],
    ["aspectRatio", "aspect_ratio"],
    ["imageSize", "image_size"],
    ["reference_image", "reference_images"],
    ["stricness", "strictness"],
  ])("%s is named, with %s as the nearest known", (given, meant) => {
    const error = refuseImage({ ...image, [given]: 1 });
    expect(error.details).toEqual([
      {
        path: given,
        code: "unknown_property",
        message: `Unknown property "${given}": did you mean "${meant}"?`,
      },
    ]);
  });

  it("that resembles nothing is only named", () => {
    expect(only(refuseImage({ ...image, quality: "hd" }))).toMatchObject({
      message: 'Unknown property "quality"',
    });
  });

  it("is named with its path, and the names known at that place", () => {
    expect(
      only(
        refuseImage({
          ...image,
          reference_images: [{ description: "x", url: "https://example.com/x", ulr: 1 }],
        }),
      ),
    ).toMatchObject({
      path: "reference_images.0.ulr",
      message: 'Unknown property "ulr": did you mean "url"?',
    });
    expect(
      only(refuseStory({ ...story, scenes: [{ prompt: "one", locaton: "x" }, { prompt: "two" }] })),
    ).toMatchObject({
      path: "scenes.0.locaton",
      message: 'Unknown property "locaton": did you mean "location"?',
    });
    const states = { rain: { description: "wet", descripton: "wet" } };
    expect(
      only(refuseStory({ ...story, characters: [{ ...story.characters[0], states }] })),
    ).toMatchObject({
      path: "characters.0.states.rain.descripton",
      message: 'Unknown property "descripton": did you mean "description"?',
    });
  });

  it("of any length is named shortly", () => {
    const { message = "" } = only(refuseImage({ ...image, ["x".repeat(10_000)]: 1 })) ?? {};
    expect(message).toBe(`Unknown property "${"x".repeat(100)}"`);
  });

  it("of a query is named too", () => {
    expect(only(refusal(() => parseRequest(listJobsQuery, { limt: "1" })))).toMatchObject({
      path: "limt",
      message: 'Unknown property "limt": did you mean "limit"?',
    });
  });
});

describe("the id of a job", () => {
  it("is the same in capital letters", () => {
    const id = "019a9f3c-5f0e-7c31-9b7d-00000000000a";
    expect(parseRequest(jobId, id.toUpperCase())).toBe(id);
  });
});
