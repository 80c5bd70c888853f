import { beforeEach, describe, expect, it, vi } from "vitest";
import { forgetOlder, forgetUnsaved, keepUnsaved, openKept } from "./kept-book.ts";

const unsavedKey = "atelier.draft.unsaved-book.s";
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return () => void vi.unstubAllGlobals();
});

describe("a book that this browser kept", () => {
  it("is saved at the next opening while the account has the book that was changed", () => {
    expect(keepUnsaved("s", { base: { title: "a", cover: 1 }, book: { title: "b" } })).toBe(true);
    expect(openKept("s", { cover: 1, title: "a" })).toEqual({
      unsaved: { title: "b" },
      older: null,
    });
    forgetUnsaved("s", { title: "b" });
    expect(stored.size).toBe(0);
  });

  it("is set aside when the account has a newer book, until it is used or discarded", () => {
    keepUnsaved("s", { base: { title: "a" }, book: { title: "b" } });
    const older = { unsaved: null, older: { title: "b" } };
    expect(openKept("s", { title: "newer" })).toEqual(older);
    expect(openKept("s", { title: "newer" })).toEqual(older);
    forgetOlder("s");
    expect(openKept("s", { title: "newer" })).toEqual({ unsaved: null, older: null });
  });

  it("is forgotten when the account has it, although the response was lost", () => {
    keepUnsaved("s", { base: null, book: { title: "b", cover: null } });
    expect(openKept("s", { cover: null, title: "b" })).toEqual({ unsaved: null, older: null });
    expect(stored.size).toBe(0);
  });

  it("of an earlier version is saved only in an account without a book", () => {
    stored.set(unsavedKey, JSON.stringify({ title: "b" }));
    expect(openKept("s", null)).toEqual({ unsaved: { title: "b" }, older: null });
    expect(openKept("s", { title: "c" })).toEqual({ unsaved: null, older: { title: "b" } });
  });

  it("stays when another page changed it since it was sent", () => {
    keepUnsaved("s", { base: null, book: { title: "c" } });
    forgetUnsaved("s", { title: "b" });
    expect(openKept("s", null).unsaved).toEqual({ title: "c" });
  });

  it("is not kept in a browser without storage", () => {
    vi.stubGlobal("localStorage", {
      setItem: () => {
        throw new Error("no space");
      },
    });
    expect(keepUnsaved("s", { base: null, book: {} })).toBe(false);
  });
});
