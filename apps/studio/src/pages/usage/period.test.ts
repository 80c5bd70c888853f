import { expect, it } from "vitest";
import { daysOf, readPeriod } from "./period.ts";

const now = Date.parse("2026-03-01T10:00:00Z");

it("counts days up to today, today included", () => {
  expect(readPeriod(new URLSearchParams("days=7"), now)).toEqual({
    from: "2026-02-23",
    to: "2026-03-01",
    days: "7",
  });
});

it.each([
  "",
  "days=8",
  "days=x",
  "from=2026-01-01",
  "from=x&to=y",
  "from=2026-01-01&to=2026-13-01",
])("shows 30 days for ?%s", (search) => {
  expect(readPeriod(new URLSearchParams(search), now)).toEqual({
    from: "2026-01-31",
    to: "2026-03-01",
    days: "30",
  });
});

it("lists every day of a period, also the 29 February", () => {
  expect(daysOf({ from: "2028-02-28", to: "2028-03-01" })).toEqual([
    "2028-02-28",
    "2028-02-29",
    "2028-03-01",
  ]);
});

it.each([
  ["2026-01-02", "2026-01-01"],
  ["", "2026-01-01"],
])("lists no days from %j to %j", (from, to) => expect(daysOf({ from, to })).toEqual([]));
