import { describe, expect, it } from "vitest";
import { changeMember } from "./change-member.ts";

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

function problemOf(change: Parameters<typeof changeMember>[1]): unknown {
  try {
    return changeMember(mira, change);
  } catch (error) {
    return error;
  }
}

describe("a change of a kept character", () => {
  it("leaves what it does not name", () => {
    const looks = mira.looks.map((look) => ({ ...look, source: null }));
    expect(changeMember(mira, {})).toEqual({ ...mira, looks });
    expect(changeMember(mira, { name: "Mira Sol" })).toMatchObject({ name: "Mira Sol", looks });
  });

  it("replaces the description and image of its normal look", () => {
    expect(changeMember(mira, { description: "a woman", reference: upload })).toMatchObject({
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
    expect(changeMember(mira, { states }).looks).toEqual([
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
    const texts = changeMember(mira, { states: { rain: { description: "in a long raincoat" } } });
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
    const once = changeMember(mira, { states: { ball: null } });
    expect(once.looks.map(({ state }) => state)).toEqual([null, "rain"]);
    expect(changeMember(once, { states: { ball: null } })).toEqual(once);
  });

  it("is refused when it leaves more than five states", () => {
    const state = { description: "another look", reference: upload };
    const states = { a: state, b: state, c: state };
    expect(changeMember(mira, { states }).looks).toHaveLength(6);
    expect(problemOf({ states: { ...states, d: state } })).toMatchObject({
      code: "invalid_request",
      details: [{ path: "states", message: "must leave at most 5 states" }],
    });
    expect(changeMember(mira, { states: { ...states, d: state, ball: null } }).looks).toHaveLength(
      6,
    );
  });
});
