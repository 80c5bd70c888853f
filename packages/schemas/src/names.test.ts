import { describe, expect, it } from "vitest";
import {
  changeCharacter,
  changeLocation,
  createKeyRequest,
  newCharacter,
  newLocation,
  updateKeyRequest,
} from "./index.ts";
import { changeCollectionRequest, newCollection, newPreset } from "./endpoints/index.ts";

const member = { description: "tall", model: "builtin-illustrator" };

/** Every request that gives a name to something that is listed later. */
const requests = [
  ["a new key", createKeyRequest, {}],
  ["a changed key", updateKeyRequest, {}],
  ["a new collection", newCollection, {}],
  ["a changed collection", changeCollectionRequest, {}],
  ["a preset", newPreset, { operation: "image", request: {} }],
  ["a new character", newCharacter, member],
  ["a changed character", changeCharacter, {}],
  ["a new location", newLocation, member],
  ["a changed location", changeLocation, {}],
] as const;

describe.each(requests)("the name of %s", (_what, request, rest) => {
  it.each([
    ["a line feed", "a\nb"],
    ["an escape sequence", "\u001b[2J"],
    ["a control in one byte", "a\u009b2J"],
    ["a reordering of text", "a\u202egpj.exe"],
    ["an isolate", "a\u2067b\u2069"],
    ["a mark of direction", "a\u200fb"],
  ])("is refused with %s", (_, name) => {
    expect(request.safeParse({ ...rest, name }).error?.issues).toMatchObject([
      { path: ["name"], message: expect.stringContaining("control characters") },
    ]);
  });

  it("is stored in one Unicode form, and keeps emoji with joiners and letters of all scripts", () => {
    const name = "Cafe\u0301 שלום مرحبا 👩‍👩‍👧";
    expect(request.safeParse({ ...rest, name }).data).toMatchObject({
      name: name.normalize("NFC"),
    });
  });
});
