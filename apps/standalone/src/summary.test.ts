import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";
import { summaryAsJson, summaryAsProse, type Summary } from "./summary.ts";

const studioUrl = "http://localhost:4000/studio/#link=abc";

function createSummary(...args: string[]): Summary {
  const settings = readSettings(args, { PORT: "4000" });
  if (settings === null) throw new Error("no settings");
  return {
    settings,
    demo: null,
    image: null,
    problem: null,
    studioUrl,
    ports: { api: 4_000, admin: 4_001, postgres: null },
    pids: { api: 1, worker: 2, postgres: null },
    logs: {},
    servingAfterMs: 1,
  };
}

it("names the address of the API reference", () => {
  expect(summaryAsProse(createSummary())).toMatch(
    /^ {2}Reference {2}http:\/\/localhost:4000\/docs$/m,
  );
});

it("names the address of the operators' console and where its key is", () => {
  expect(summaryAsProse(createSummary())).toMatch(
    /^ {2}Console {4}http:\/\/localhost:4001\/admin\/ {2}\(key: admin_key in .+\)$/m,
  );
});

it("has the link to Studio on a line of its own, and as studio_url in JSON", () => {
  expect(summaryAsProse(createSummary()).split("\n")).toContain(`  ${studioUrl}`);
  expect(summaryAsProse(createSummary("--once"))).not.toContain(studioUrl);
  expect(JSON.parse(summaryAsJson(createSummary()))).toMatchObject({ studio_url: studioUrl });
});
