import { isAbsolute, relative } from "node:path";
import { styleText } from "node:util";
import { homeFiles, type DemoAccount } from "@atelier/configuration";
import type { Settings } from "./settings.ts";
import { firstRequest, type FirstImage } from "./first-image.ts";

/** What there is to say once everything serves. */
export interface Summary {
  readonly settings: Settings;
  /** Null in a database that has accounts and no demo among them. */
  readonly demo: DemoAccount | null;
  /** Null when none was made. */
  readonly image: FirstImage | null;
  /** Why there is no image, or not all of it. */
  readonly problem: string | null;
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
  /** From the start of this process until everything served. */
  readonly servingAfterMs: number;
}

/** For programs: one JSON object on one line. */
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
    ports: summary.ports,
    pids: summary.pids,
    logs: summary.logs,
    serving_after_ms: Math.round(summary.servingAfterMs),
  })}\n`;
}

/** For people: where the image is, a command to try, and where everything listens. */
export function summaryAsProse(summary: Summary): string {
  const { settings, demo, image, ports } = summary;
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
      `  API       ${settings.baseUrl}`,
      `  Queues    http://localhost:${ports.admin}/queues  (any name; password: admin_key in ${nearPath(homeFiles(settings.home).secrets)})`,
      ...(ports.postgres === null ? [] : [`  Postgres  127.0.0.1:${ports.postgres}`]),
      `  Logs      ${Object.values(summary.logs).map(nearPath).join("  ")}`,
      `  Accounts  npm run atelier -- accounts list`,
    ]);
    sections.push(["Serving. Ctrl-C stops everything."]);
  }
  return sections.map((lines) => `\n${lines.join("\n")}\n`).join("");
}

/** Relative where that is shorter to read and still a path from here. */
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
