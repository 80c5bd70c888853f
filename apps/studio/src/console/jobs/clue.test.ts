import { describe, expect, it } from "vitest";
import { isTime, readClues } from "./clue.ts";

const id = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";
const hash = "0f".repeat(32);

/** The times between which a text searches, in Berlin. */
const span = (text: string, timeZone = "Europe/Berlin") => {
  const [clue] = readClues(text, timeZone);
  return clue !== undefined && "from" in clue ? [clue.from, clue.to] : clue;
};

describe("readClues", () => {
  it("tries an id as that of a job, and then of a request", () => {
    expect(readClues(id, "UTC")).toEqual([{ job: id }, { request_id: id }]);
  });

  it("recognises a SHA-256 with capitals and spaces", () => {
    expect(readClues(`${hash.slice(0, 32).toUpperCase()} ${hash.slice(32)}`, "UTC")).toEqual([
      { sha256: hash },
    ]);
  });

  it("searches five minutes before and after a time", () => {
    expect(span("2026-11-30T14:05Z")).toEqual([
      "2026-11-30T14:00:00.000Z",
      "2026-11-30T14:10:00.000Z",
    ]);
    expect(span("2026-11-30 14:05:10.250")).toEqual([
      "2026-11-30T13:00:00.000Z",
      "2026-11-30T13:10:00.000Z",
    ]);
  });

  it.each([
    "30.11.2026, 17:05",
    "30.11.2026, 17:05:10",
    "30. 11. 2026 17.05",
    "30 Nov 2026, 17:05",
    "30 November 2026 5:05 pm",
    "Nov 30, 2026, 5:05:10\u202fPM",
    "2026-11-30 17:05",
    "  2026-11-30T17:05  ",
  ])("reads %j as the same time", (text) => {
    expect(span(text)).toEqual(["2026-11-30T16:00:00.000Z", "2026-11-30T16:10:00.000Z"]);
  });

  it.each(["1.9.2026", "01.09.2026", "1 Sept 2026", "Sep 01, 2026", "2026-09-01"])(
    "searches the whole day of %j",
    (text) => {
      expect(span(text)).toEqual(["2026-08-31T22:00:00.000Z", "2026-09-01T22:00:00.000Z"]);
    },
  );

  it.each(
    [
      "en-US",
      "en-GB",
      "en-IE",
      "en-AU",
      "en-CA",
      "en-IN",
      "en-NZ",
      "en-ZA",
      "en-SE",
      "en-DK",
    ].concat("en", "de", "de-DE", "de-AT", "de-CH", "de-LU"),
  )("reads all that the pages print in %s", (locale) => {
    const timeZone = "America/New_York";
    for (let month = 0; month < 12; month++) {
      for (const [day, hour] of [
        [1, 0],
        [9, 12],
        [28, 23],
      ] as const) {
        const at = Date.UTC(2026, month, day, hour, 7, 31);
        for (const timeStyle of ["short", "medium"] as const) {
          const format = { dateStyle: "medium", timeStyle, timeZone } as const;
          const text = new Intl.DateTimeFormat(locale, format).format(at);
          const minute = Math.floor(at / 60_000) * 60_000;
          expect([text, span(text, timeZone)]).toEqual([
            text,
            [minute - 300_000, minute + 300_000].map((time) => new Date(time).toISOString()),
          ]);
        }
      }
    }
  });

  it("searches 23 and 25 hours of the days on which clocks change", () => {
    expect(span("29.03.2026")).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]);
    expect(span("25.10.2026")).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
    // The clocks of Cairo skip the first hour of the day.
    expect(span("24.04.2026", "Africa/Cairo")).toEqual([
      "2026-04-23T22:00:00.000Z",
      "2026-04-24T21:00:00.000Z",
    ]);
  });

  it("searches both hours that clocks show twice, and the hour after the one that they skip", () => {
    expect(span("25.10.2026, 02:30")).toEqual([
      "2026-10-25T00:25:00.000Z",
      "2026-10-25T01:35:00.000Z",
    ]);
    expect(span("29.03.2026, 02:30")).toEqual([
      "2026-03-29T01:25:00.000Z",
      "2026-03-29T01:35:00.000Z",
    ]);
  });

  it.each([
    "31.02.2026",
    "2026-13-01",
    "29.02.2027",
    "0.1.2026",
    "30.11.2026, 24:00",
    "30.11.2026, 17:60",
    "Nov 30, 2026, 13:05 PM",
    "Nov 30, 2026, 0:05 AM",
    "1.1.0099",
    "31.12.1969",
  ])("finds no clue in %j, which does not exist", (text) => {
    expect(readClues(text, "UTC")).toEqual([]);
  });

  it.each([
    "order-A-1027",
    "2026-11-30-order-7",
    "12-marketing-2026",
    "30.11.26",
    "30 Foo 2026",
    "30.11.2026, soon",
    "11/30/2026",
    "",
  ])("takes any other text as the id of a request: %j", (text) => {
    expect(readClues(text, "UTC")).toEqual([{ request_id: text }]);
  });
});

describe("isTime", () => {
  it.each(["", "2026-11-30", "2026-11-30 14:05"])("is true for %j", (text) => {
    expect(isTime(text)).toBe(true);
  });

  it.each([id, hash, "order-A-1027"])("is false for %s", (text) => {
    expect(isTime(text)).toBe(false);
  });
});
