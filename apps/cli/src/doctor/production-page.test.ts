import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readSettingNames } from "@atelier/configuration";
import { productionChecks } from "./checks.ts";

const page = await readFile(new URL("../../../../docs/production.md", import.meta.url), "utf8");

it("has the checks of doctor as the headings of docs/production.md, in the same order", () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(productionChecks.map(({ title }) => title));
});

it.each(productionChecks)(
  "says on the page what to set and what happens without it: $title",
  ({ title, settings, without }) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
    expect(section).toContain(`**Without it:** ${without}\n`);
    expect(settings.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  },
);

it("names only settings of .env.example", () => {
  const known = [...readSettingNames().values()].flatMap((names) => Object.keys(names));
  const named = productionChecks.flatMap(({ settings }) => settings);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
