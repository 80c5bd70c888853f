import { describe, expect, it } from "vitest";
import { changeMember, type DescribedMember } from "./change-member.ts";

const mira = {
  name: "Mira",
  description: "a girl",
  looks: [
    { state: null, description: "a girl" },
    { state: "rain", description: "in a raincoat" },
    { state: "ball", description: "in a red gown" },
  ],
};
const upload = { upload_id: "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60" };

const stored = (path: string) => ({ kind: "upload", id: upload.upload_id, path });

const id = "019a9f44-7d1c-7e52-8a36-5b0c4d9e2f17";

const change = (member: DescribedMember, wanted: Parameters<typeof changeMember>[1]) =>
  changeMember(member, wanted, id);

function problemOf(wanted: Parameters<typeof changeMember>[1]): unknown {
  try {
    return change(mira, wanted);
  } catch (error) {
    return error;
  }
}

describe("a change of a kept character", () => {
  it("leaves what it does not name", () => {
    const looks = mira.looks.map((look) => ({ ...look, source: null }));
    expect(change(mira, {})).toEqual({ ...mira, looks });
    expect(change(mira, { name: "Mira Sol" })).toMatchObject({ name: "Mira Sol", looks });
  });

  it("replaces the description and image of its normal look", () => {
    expect(change(mira, { description: "a woman", reference: upload })).toMatchObject({
      name: "Mira",
      description: "a woman",
      looks: [
        { state: null, description: "a woman", source: stored("reference.upload_id") },
        { state: "rain", source: null },
        { state: "ball", source: null },
      ],
    });
  });

  it("adds, replaces and removes states in their order", () => {
    const states = {
      ski: { description: "in a ski suit", reference: upload },
      rain: { reference: upload },
      ball: null,
    };
    expect(change(mira, { states }).looks).toEqual([
      { state: null, description: "a girl", source: null },
      {
        state: "rain",
        description: "in a raincoat",
        source: stored("states.rain.reference.upload_id"),
      },
      {
        state: "ski",
        description: "in a ski suit",
        source: stored("states.ski.reference.upload_id"),
      },
    ]);
    const texts = change(mira, { states: { rain: { description: "in a long raincoat" } } });
    expect(texts.looks[1]).toEqual({
      state: "rain",
      description: "in a long raincoat",
      source: null,
    });
  });

  it("is refused for a new state without description or image", () => {
    expect(problemOf({ states: { ski: {} } })).toMatchObject({
      code: "invalid_request",
      details: [{ path: "states.ski.description" }, { path: "states.ski.reference" }],
    });
  });

  it("leaves the looks when it removes a state that is removed already", () => {
    const once = change(mira, { states: { ball: null } });
    expect(once.looks.map(({ state }) => state)).toEqual([null, "rain"]);
    expect(change(once, { states: { ball: null } })).toEqual(once);
  });

  it("leaves an image that it has moved out of a state which it removes", () => {
    const moved = {
      reference: { character_id: id, state: "ball" },
      states: { rain: { reference: { character_id: id, state: "ball" } }, ball: null },
    };
    const source = { kind: "member", member: "character", id, state: "ball" };
    const once = change(mira, moved);
    expect(once.looks).toMatchObject([{ source }, { state: "rain", source }]);
    expect(change(once, moved).looks).toMatchObject([
      { state: null, source: null },
      { state: "rain", source: null },
    ]);

    const { states, ...kept } = moved;
    expect(change(once, kept).looks[0]).toMatchObject({ source });
    const added = { ski: { description: "in a ski suit", reference: moved.reference } };
    expect(change(once, { states: { ...states, ...added } }).looks[2]).toMatchObject({ source });
    const other = { ...moved, reference: { character_id: upload.upload_id, state: "ball" } };
    expect(change(once, other).looks[0]).toMatchObject({ source: { id: upload.upload_id } });
  });

  it("is refused when it leaves more than five states", () => {
    const state = { description: "another look", reference: upload };
    const states = { a: state, b: state, c: state };
    expect(change(mira, { states }).looks).toHaveLength(6);
    expect(problemOf({ states: { ...states, d: state } })).toMatchObject({
      code: "invalid_request",
      details: [{ path: "states", message: "must leave at most 5 states" }],
    });
    expect(change(mira, { states: { ...states, d: state, ball: null } }).looks).toHaveLength(6);
  });
});
