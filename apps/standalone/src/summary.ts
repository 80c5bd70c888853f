import { isAbsolute, relative } from "node:path";
import { styleText } from "node:util";
import { homeFiles, type DemoAccount } from "@atelier/configuration";
import type { Settings } from "./settings.ts";
import { firstRequest, type FirstImage } from "./first-image.ts";

/** The result of a start, printed when everything serves. */
export interface Summary {
  readonly settings: Settings;
  /** Null in a database with accounts but no demo account. */
  readonly demo: DemoAccount | null;
  /** Null if no image was generated, as in a home that has one. */
  readonly image: FirstImage | null;
  /** Why the image is missing or incomplete. */
  readonly problem: string | null;
  /** Signs in to Studio once; null if Studio cannot be opened. */
  readonly studioUrl: string | null;
  readonly ports: {
    readonly api: number;
    readonly admin: number;
    readonly postgres: number | null;
  };
  readonly pids: {
    readonly api: number;
    readonly worker: number;
    readonly postgres: number | null;
  };
  readonly logs: Readonly<Record<string, string>>;
  /** Milliseconds from the start of this process until everything serves. */
  readonly servingAfterMs: number;
}

/** Formats the summary for programs: one JSON object on one line. */
export function summaryAsJson(summary: Summary): string {
  const { settings, demo, image } = summary;
  return `${JSON.stringify({
    base_url: settings.baseUrl,
    api_key: demo?.api_key ?? null,
    account_id: demo?.account_id ?? null,
    home: settings.home,
    image: image && {
      id: image.response.id,
      model: image.response.model,
      cost_eur: image.response.cost_eur,
      balance_eur: image.response.balance_eur,
      provenance: "trusted",
      files: image.files.map((file) => ({
        format: file.format,
        path: file.path,
        sha256: file.sha256,
        size_bytes: file.sizeBytes,
      })),
    },
    problem: summary.problem,
    studio_url: summary.studioUrl,
    ports: summary.ports,
    pids: summary.pids,
    logs: summary.logs,
    serving_after_ms: Math.round(summary.servingAfterMs),
  })}\n`;
}

/** Formats the summary for people: where the image is, a command to try, and all addresses. */
export function summaryAsProse(summary: Summary): string {
  const { settings, demo, image } = summary;
  const sections: string[][] = [];
  if (image !== null) {
    sections.push(
      image.files.map(
        ({ format, path, sizeBytes }) =>
          `  ${format.toUpperCase().padEnd(5)} ${nearPath(path)}  ${Math.ceil(sizeBytes / 1_000)} kB`,
      ),
    );
  }
  if (!settings.once) {
    if (demo !== null) sections.push([heading("Try it"), `  ${curlLine(demo)}`]);
    sections.push([
      heading("Listening"),
      `  API        ${settings.baseUrl}`,
      `  Reference  ${settings.baseUrl}/docs`,
      ...(settings.container ? [] : localLines(summary)),
      `  Logs       ${Object.values(summary.logs).map(nearPath).join("  ")}`,
      `  Accounts   ${settings.container ? "docker exec <container> atelier" : "npm run atelier --"} accounts list`,
      ...moderationLines(settings),
    ]);
    if (summary.studioUrl !== null) {
      sections.push([
        heading("Open Studio in a browser"),
        `  ${summary.studioUrl}`,
        "  This link signs in once. For another one: npm run atelier -- studio-link",
      ]);
    }
    sections.push([settings.container ? "Serving." : "Serving. Ctrl-C stops everything."]);
  }
  return sections.map((lines) => `\n${lines.join("\n")}\n`).join("");
}

/** Addresses that only this machine reaches. */
function localLines({ settings, ports }: Summary): string[] {
  const secrets = nearPath(homeFiles(settings.home).secrets);
  return [
    `  Console    http://localhost:${ports.admin}/admin/  (key: admin_key in ${secrets})`,
    `  Queues     http://localhost:${ports.admin}/queues  (any name; password: admin_key in ${secrets})`,
    ...(ports.postgres === null ? [] : [`  Postgres   127.0.0.1:${ports.postgres}`]),
  ];
}

/** Rules cannot detect implied meaning, so a note is printed if no model is configured. */
function moderationLines({ environment }: Summary["settings"]): string[] {
  const { MODERATION: moderation = "rules" } = environment;
  if (moderation !== "rules") return [];
  return [
    "  Moderation built-in rules alone; set MODERATION=openai or a guard model in production",
  ];
}

/** Returns a relative path if it is shorter. */
function nearPath(path: string): string {
  const near = relative("", path);
  return near.startsWith("..") || isAbsolute(near) ? path : near;
}

function curlLine(demo: DemoAccount): string {
  const { model } = firstRequest;
  const body = JSON.stringify({ model, prompt: "A red fox in a snowy birch forest at night" });
  return (
    `curl -s ${demo.base_url}/v1/generate/image -H 'Authorization: Bearer ${demo.api_key}' ` +
    `-H 'Content-Type: application/json' -d '${body}'`
  );
}

function heading(text: string): string {
  return styleText("bold", text, { stream: process.stdout });
}
