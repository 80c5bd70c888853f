import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileFormat } from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import { unzipSync } from "fflate";
import { expect } from "vitest";

/** The folder that contains a subfolder for each template. */
export const templatesFolder = fileURLToPath(
  new URL("../../../../packages/skills/templates", import.meta.url),
);

export const slugs = readdirSync(templatesFolder).toSorted();

/** A downloaded skill file. */
export interface Downloaded {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Downloads a file for an account, and checks that it is an attachment that caches do not store. */
export async function download(
  stack: Stack,
  account: TestAccount,
  slug: string,
  format: FileFormat,
): Promise<Downloaded> {
  const response = await stack.request(account, "POST", `/v1/files/${slug}`, { format });
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const disposition = response.headers.get("Content-Disposition") ?? "";
  const [, name = ""] = /^attachment; filename="([\w.-]+)"$/.exec(disposition) ?? [];
  expect(name).not.toBe("");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const mediaType = response.headers.get("Content-Type") ?? "";
  return { name, mediaType, bytes, text: new TextDecoder().decode(bytes) };
}

/** Files of a skill by their path in its folder, which must be the only one in the ZIP file. */
export function unpack({ bytes }: Downloaded, slug: string): Map<string, string> {
  const entries = Object.entries(unzipSync(bytes));
  for (const [path] of entries) expect(path.startsWith(`${slug}/`)).toBe(true);
  return new Map(
    entries.map(([path, content]) => [
      path.slice(slug.length + 1),
      new TextDecoder().decode(content),
    ]),
  );
}

/** Unpacks a skill into a new folder, as a user would, and returns the folder. */
export async function install(directory: string, file: Downloaded, slug: string): Promise<string> {
  const folder = await mkdtemp(join(directory, `${slug}-`));
  for (const [path, content] of unpack(file, slug)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Saves a shell script in a new folder and returns its path. */
export async function installShellScript(
  directory: string,
  { name, bytes }: Downloaded,
): Promise<string> {
  const folder = await mkdtemp(join(directory, `${name}-`));
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
}

/** Result of a program. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder; it knows the service only through its files. */
export function run(
  folder: string,
  [program = "", ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const { PATH = "" } = process.env;
  return new Promise((resolve) => {
    const env = { PATH, ...environment };
    execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
