import { readdir, readFile } from "node:fs/promises";
import { format } from "oxfmt";
import { knownProviders } from "@atelier/models";
import {
  checkNames,
  isCertified,
  certificationReport,
  type CertificationReport,
} from "./report.ts";
import { unlistedModels } from "./unlisted-models.ts";

/** The reports of this repository. */
export const reportsFolder = new URL("reports/", import.meta.url);
export const compatibilityPage = new URL("../../docs/compatibility.md", import.meta.url);

/**
 * Reads the reports of a folder, by provider.
 *
 * @throws Error for a file that is not a report.
 */
export async function readReports(folder = reportsFolder): Promise<readonly CertificationReport[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => {
      const json: unknown = JSON.parse(await readFile(new URL(name, folder), "utf8"));
      return certificationReport.parse(json);
    }),
  );
}

/** The page of what is certified, formatted like all pages. */
export async function writeCompatibility(reports: readonly CertificationReport[]): Promise<string> {
  const { code } = await format("compatibility.md", describeReports(reports));
  return code;
}

function describeReports(reports: readonly CertificationReport[]): string {
  const names = [
    ...knownProviders,
    ...reports
      .map(({ provider }) => provider)
      .filter((provider) => !knownProviders.some((known) => known === provider)),
  ].sort();
  const rows = names.map((name) => {
    const report = reports.find(({ provider, kind }) => provider === name || kind === name);
    if (report === undefined) return `| \`${name}\` | not yet certified | | | |`;
    const state = isCertified(report) ? "certified" : "failed";
    const day = report.started_at.slice(0, 10);
    return `| \`${name}\` | ${state} | \`${report.provider_model}\` | ${day} | ${report.versions.atelier} |`;
  });
  return `${[
    "# Compatibility",
    "",
    "Adapters are tested with protocol servers that follow the vendors' documentation. `certified` means that an operator ran all checks against the real service with `npm run certify`, and that no check failed. This page is generated from the reports in [`harness/certify/reports`](../harness/certify/reports) by `npm run certify -- --write-page`.",
    "",
    "| Provider or kind | State | Model | Date | Version |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    ...reports.flatMap(describeChecks),
    "## Certify a provider",
    "",
    "You need a key or a server of your own, configured as in [Models and providers](providers.md). The command makes up to eight images, which **the vendor charges you**, and stops before it exceeds `--max-spend`, in the vendor's currency:",
    "",
    "```console",
    "npm run certify -- openai --max-spend 1.00",
    "```",
    "",
    "It checks in this order: an image of a prompt, an edit, an edit with a mask, a reference image, a refusal (`--refusal-prompt` replaces its prompt), a wrong key, the rate limit (with requests that are not charged), a cancellation, a lost response, and whether every image has a cost. `not provoked` means that the vendor did not refuse or limit anything. Compare `spent` and `units` of the report with the vendor's bill.",
    "",
    "The report is written to `harness/certify/reports/<provider>.json` with the date, the versions and the exchanges, without keys, images and long texts. Read it before you publish it, then run `npm run certify -- --write-page`.",
    "",
    "## Models without an entry",
    "",
    "Packages on npm name these models, and the catalogue does not have them: their prices, sizes and options are unknown here. An operator adds one with [an entry](providers.md#catalogue-and-prices) and the vendor's own numbers. Read on 2026-11-30.",
    "",
    "| Provider | Models | Package |",
    "| --- | --- | --- |",
    ...unlistedModels.map(
      ({ provider, models, source }) =>
        `| \`${provider}\` | ${models.map((id) => `\`${id}\``).join(", ")} | ${source} |`,
    ),
    "",
    "## Engines in tests",
    "",
    "The tests run no real engine. On 2026-11-25, Debian 12 (`apt-cache search stable-diffusion`) and a list of npm's packages had no package of stable-diffusion.cpp's server, and neither has model weights. Its protocol server imitates the routes and messages of its source.",
  ].join("\n")}\n`;
}

function describeChecks(report: CertificationReport): string[] {
  return [
    `## ${report.provider}`,
    "",
    `Spent ${report.spent} of ${report.max_spend} ${report.currency}, with Node ${report.versions.node}.`,
    "",
    "| Check | Result | |",
    "| --- | --- | --- |",
    ...checkNames.map((name) => {
      const check = report.checks.find((result) => result.name === name);
      return `| ${name} | ${check?.status ?? "not run"} | ${(check?.message ?? "").replaceAll("|", "\\|")} |`;
    }),
    "",
  ];
}
