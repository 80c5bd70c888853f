import { expect, it } from "vitest";
import { changeCharacter, newCharacter } from "./cast.ts";

const upload = { upload_id: "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60" };
const composed = "caf\u00e9";
const decomposed = "cafe\u0301";
const state = { description: "in a café", reference: upload };

it("refuses two spellings of one state, when a character is created and changed", () => {
  const states = { [composed]: state, [decomposed]: state };
  const created = { name: "Mira", description: "a girl", reference: upload, states };
  for (const parsed of [
    newCharacter.safeParse(created),
    changeCharacter.safeParse({ states }),
    changeCharacter.safeParse({ states: { ...states, [decomposed]: null } }),
  ]) {
    expect(parsed.error?.issues).toMatchObject([
      {
        path: ["states", decomposed],
        message: `must be unique: "${composed}" occurs more than once`,
      },
    ]);
  }
});

it("accepts each spelling of a state alone", () => {
  for (const key of [composed, decomposed]) {
    expect(changeCharacter.safeParse({ states: { [key]: state } }).success).toBe(true);
  }
});
