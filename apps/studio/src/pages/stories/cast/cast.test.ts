import type { Job } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { addedRequest } from "../board/added-request.ts";
import { findOutdated } from "../board/outdated-scenes.ts";
import { sceneImages } from "../story-cards.ts";
import { withCast } from "./cast-draft.ts";
import { chooseMember, readCast } from "./cast.ts";
import { memberRequest } from "./member-request.ts";
import { readEntries } from "./member.ts";

const signed = "https://files.example/x.png?signature";
const made = { reference_url: signed, expires_at: "2030-01-01T00:00:00Z" };

const request = {
  model: "painter",
  style: "flat",
  characters: [
    { name: "Mira", description: "a girl", states: { wet: { description: "drenched" } } },
    { name: "Otto", description: "a man", reference: { upload_id: "u" } },
  ],
  locations: [{ name: "Pier", description: "planks" }],
  scenes: [
    { prompt: "Mira waves", characters: [{ name: "Mira" }], location: "Pier" },
    { prompt: "Rain", characters: [{ name: "Mira", state: "wet" }] },
    { prompt: "Otto reads", characters: [{ name: "Otto" }] },
  ],
};

function jobOf(id: string, body: object, result: object, renders: readonly object[] = []): Job {
  return {
    id,
    model: "painter",
    kind: "story",
    status: "completed",
    request: body,
    renders,
    result,
    book: null,
  } as unknown as Job;
}

const story = jobOf(
  "story",
  request,
  {
    characters: [
      { name: "Mira", ...made },
      { name: "Mira", state: "wet", ...made },
    ],
    locations: [{ name: "Pier", ...made }],
    scenes: [1, 2, 3].map(() => ({ image_url: signed })),
  },
  [
    ...["portrait", "state", "location"].map((role) => ({
      role,
      name: role === "location" ? "Pier" : "Mira",
      ...(role === "state" ? { state: "wet" } : {}),
      status: "completed",
    })),
    ...[1, 2, 3].map(() => ({ role: "scene", status: "completed" })),
  ],
);

const portrait = { role: "portrait", name: "Mira", status: "completed" };
/** A job that made the portrait of Mira again. */
const again = jobOf(
  "try",
  { characters: [{ name: "Mira", description: "a tall girl" }] },
  { characters: [{ name: "Mira", ...made }] },
  [portrait],
);
const chosen = [{ portrait: "Mira", job_id: "try" }];
const names = (images: Iterable<{ readonly name: string }>) => [...images].map(({ name }) => name);

describe("the cast of a story", () => {
  it("has each picture that was made again beside its own, which stays until another one is chosen", () => {
    const { images, shown } = readCast(story, [again], []);
    expect(names(images)).toEqual(["Mira", "Mira, version 2", "Mira, wet", "Otto", "Pier"]);
    expect(names(shown)).toEqual(["Mira", "Mira, wet", "Otto", "Pier"]);
    expect(names(readCast(story, [again], chosen).shown)[0]).toBe("Mira, version 2");
  });

  it("keeps its own picture when the chosen one is not kept", () => {
    const expired = { ...again, result: { characters: [] } } as unknown as Job;
    expect(names(readCast(story, [expired], chosen).shown)[0]).toBe("Mira");
  });

  it("has an outdated look after another portrait was chosen", () => {
    expect(names(readCast(story, [again], chosen).outdated)).toEqual(["Mira, wet"]);
    expect(names(readCast(story, [again], []).outdated)).toEqual([]);
  });

  it("is changed by a choice, and by that of the story's own picture", () => {
    const { images } = readCast(story, [again], []);
    const [own, other] = images;
    if (own === undefined || other === undefined) throw new Error("Mira has no pictures");
    const entries = chooseMember([], other, "story");
    expect(entries).toEqual(chosen);
    expect(chooseMember(entries, own, "story")).toEqual([]);
  });

  it.each([null, {}, [null, "x", { portrait: "Mira" }, { job_id: "try" }]])(
    "has no choices in %j",
    (saved) => expect(readEntries(saved)).toEqual([]),
  );
});

describe("a member of the cast that is made again", () => {
  const { images, shown } = readCast(story, [again], chosen);
  const bodyOf = (name: string) => {
    const image = images.find((one) => one.name === name);
    if (image === undefined) throw new Error(`${name} has no picture`);
    return memberRequest(story, image, " new ", shown);
  };

  it("is the only picture of its request, and belongs to the story", () => {
    expect(bodyOf("Mira")).toMatchObject({
      model: "painter",
      style: "flat",
      cast_only: true,
      characters: [{ name: "Mira", description: "new" }],
      metadata: { studio_story: "story" },
    });
    expect(bodyOf("Mira")["seed"]).toBeUndefined();
  });

  it("is drawn with the chosen portrait when it is a look", () => {
    expect(bodyOf("Mira, wet")["characters"]).toEqual([
      {
        name: "Mira",
        description: "a tall girl",
        reference: { job_id: "try", portrait: "Mira" },
        states: { wet: { description: "new" } },
      },
    ]);
  });

  it("is drawn beside a character that is not drawn again when it is a place", () => {
    expect(bodyOf("Pier")).toMatchObject({
      characters: [{ name: "Mira", reference: { job_id: "try", portrait: "Mira" } }],
      locations: [{ name: "Pier", description: "new" }],
    });
  });
});

describe("scenes of a story whose portrait was made again", () => {
  const scenes = sceneImages(story, []);
  const jobs = new Map([[story.id, story]]);

  it("use its picture and its description", () => {
    const { shown } = readCast(story, [again], chosen);
    const content = { prompt: "Home", location: "Pier", aspectRatio: undefined };
    const body = addedRequest(story, 4, { ...content, characters: [{ name: "Mira" }] }, shown);
    expect(body).toMatchObject({
      characters: [
        {
          name: "Mira",
          description: "a tall girl",
          reference: { job_id: "try", portrait: "Mira" },
        },
      ],
      location: { name: "Pier" },
    });
    expect(withCast(story, shown).characters?.[0]).toMatchObject({
      description: "a tall girl",
      reference: { job_id: "try", portrait: "Mira" },
    });
  });

  it("are outdated if they show the older one", () => {
    const { shown } = readCast(story, [again], chosen);
    const { toMake, marked } = findOutdated(story, scenes, scenes, jobs, shown);
    expect([...marked]).toEqual(["scene 1"]);
    expect(toMake).toMatchObject([
      { scene: 1, body: { prompt: "Mira waves", metadata: { studio_scene: "1" } } },
    ]);
    const before = readCast(story, [again], []);
    expect(findOutdated(story, scenes, scenes, jobs, before.shown).toMake).toEqual([]);
  });

  it("are outdated again after the story's own portrait was chosen again, until a version shows it", () => {
    const [first] = scenes;
    if (first === undefined) throw new Error("the story has no scene");
    const version = { ...first, id: "v2", jobId: "v2", drawnBy: "v2", version: 2 };
    const { shown } = readCast(story, [again], []);
    const remade = jobOf(
      "v2",
      {
        prompt: "Mira waves",
        characters: [{ name: "Mira", reference: { job_id: "try", portrait: "Mira" } }],
      },
      {},
    );
    const all = new Map([...jobs, ["v2", remade]]);
    const marks = (images: typeof scenes) => findOutdated(story, images, images, all, shown);
    expect([...marks([version]).marked]).toEqual(["v2"]);
    expect(marks([version]).toMake).toMatchObject([{ scene: 1 }]);
    const withOwn = findOutdated(story, [first, version], [version], all, shown);
    expect(withOwn.toMake).toEqual([]);
  });
});
