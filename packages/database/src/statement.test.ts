import { expect, it } from "vitest";
import { statement } from "./statement.ts";

it("numbers parameters by name and keeps casts", () => {
  const { bind } = statement(
    ["id", "limit"],
    "SELECT :id::uuid WHERE :id IS NOT NULL LIMIT :limit",
  );
  expect(bind({ limit: 5, id: "a" })).toEqual([
    "SELECT $1::uuid WHERE $1 IS NOT NULL LIMIT $2",
    ["a", 5],
  ]);
});

it("throws for a parameter that has no name in the list", () => {
  expect(() => statement(["id"], "SELECT :id, :idd")).toThrow("unknown parameter :idd");
});

it("throws for a name that the text does not use", () => {
  expect(() => statement(["id", "limit"], "SELECT :id")).toThrow("does not use :limit");
});
