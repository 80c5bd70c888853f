import { readFile } from "node:fs/promises";
import { knownProviders } from "@atelier/models";
import { expect, it } from "vitest";
import type { CertificationReport, CheckStatus } from "./report.ts";
import { compatibilityPage, readReports, writeCompatibility } from "./write-compatibility.ts";
import { unlistedModels } from "./unlisted-models.ts";

it("has a current page: npm run certify -- --write-page", async () => {
  const page = await readFile(compatibilityPage, "utf8");
  expect(page).toBe(await writeCompatibility(await readReports()));
});

const reportOf = (status: CheckStatus): CertificationReport => ({
  provider: "openai",
  kind: "openai",
  model: "gpt-image-2",
  provider_model: "gpt-image-2",
  started_at: "2026-11-25T00:00:00.000Z",
  versions: { atelier: "0.2.0", node: "24.0.0" },
  max_spend: "1.00",
  spent: "0.21",
  currency: "USD",
  unknown_costs: 0,
  units: {},
  checks: [
    { name: "generate", status: "passed", message: "made 1024x1024", duration_ms: 1 },
    { name: "edit", status, message: "as | planned", duration_ms: 1 },
  ],
  exchanges: [],
});

it("calls providers without a report not yet certified", async () => {
  const page = await writeCompatibility([reportOf("passed")]);
  expect(page).toMatch(/`openai` +\| certified +\| `gpt-image-2` \| 2026-11-25 \| 0\.2\.0/);
  expect(page).toMatch(/`gemini` +\| not yet certified/);
});

it.each<CheckStatus>(["failed", "not run"])(
  "does not certify a provider with a check %s",
  async (status) => {
    const page = await writeCompatibility([reportOf(status)]);
    expect(page).toMatch(/`openai` +\| failed/);
  },
);

it("models without an entry are of known providers, and not in the catalogue", async () => {
  const file = new URL("../../packages/models/catalogue.json", import.meta.url);
  const { models } = JSON.parse(await readFile(file, "utf8")) as {
    models: { provider: string; provider_model: string }[];
  };
  for (const { provider, models: unlisted } of unlistedModels) {
    expect(knownProviders).toContain(provider);
    const listed = models.filter((one) => one.provider === provider);
    expect(listed.filter(({ provider_model: id }) => unlisted.includes(id))).toEqual([]);
  }
});
