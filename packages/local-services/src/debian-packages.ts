import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { commandSucceeds } from "./child-process.ts";
import type { Unavailable } from "./service.ts";

const execute = promisify(execFile);

interface DebianPackagesOptions {
  /** Names the folder in the cache. */
  readonly name: string;
  /** Names of the packages; missing dependencies are added. */
  readonly packages: readonly string[];
  /** Default: `atelier` in XDG_CACHE_HOME or `~/.cache`. A tree in it is reused without a download. */
  readonly cacheDirectory?: string | undefined;
  /** Called with a line for each step that takes long. Default: none. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface UnpackedPackages {
  /** The folder that stands for `/`. */
  readonly root: string;
  /** The folders of shared libraries in it, as `LD_LIBRARY_PATH` wants them. */
  readonly libraryPath: string;
}

/**
 * A file tree with Debian packages and those of their dependencies that the system lacks, or the reason
 * why it is unavailable. Nothing is installed and root is not needed: apt downloads the packages into
 * separate lists and archives, verifies their signatures, and they are unpacked into the cache. Later
 * calls reuse the tree. When two runs do this at the same time, the first to finish wins.
 */
export async function unpackDebianPackages(
  options: DebianPackagesOptions,
): Promise<UnpackedPackages | Unavailable> {
  if (!(await commandSucceeds("apt-get", ["--version"]))) {
    return { unavailable: "no apt-get to fetch Debian packages with" };
  }
  const cacheDirectory = options.cacheDirectory ?? defaultCacheDirectory();
  const root = join(cacheDirectory, `${options.name}-${await systemName()}`);
  if (await exists(root)) return describeTree(root);

  options.log?.(`downloading Debian packages: ${options.packages.join(" ")} (once)`);
  await mkdir(cacheDirectory, { recursive: true });
  const scratch = await mkdtemp(join(cacheDirectory, `${options.name}-unpacking-`));
  try {
    const archives = await download(options.packages, scratch);
    const tree = join(scratch, "tree");
    for (const archive of archives) await execute("dpkg-deb", ["--extract", archive, tree]);
    await moveInto(tree, root);
    return await describeTree(root);
  } catch (error) {
    const lines = error instanceof Error ? error.message.trimEnd().split("\n") : [String(error)];
    return { unavailable: `Debian packages cannot be fetched: ${lines.at(-1)}` };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * The Python that the packages need: the system's, or the one downloaded with them where the system has
 * none. Another one on the PATH may have the wrong version and lacks their modules.
 */
export async function findPython(packages: UnpackedPackages): Promise<string | null> {
  const commands = await readdir(join(packages.root, "usr/bin"));
  const unpacked = commands.find((command) => /^python3\.\d+$/.test(command));
  const python = unpacked ? join(packages.root, "usr/bin", unpacked) : "/usr/bin/python3";
  return (await commandSucceeds(python, ["--version"])) ? python : null;
}

/** The cache folder for downloads, outside of the repository. */
export function defaultCacheDirectory(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "atelier");
}

async function download(packages: readonly string[], scratch: string): Promise<string[]> {
  const lists = join(scratch, "lists");
  const cache = join(scratch, "cache");
  const archives = join(cache, "archives");
  // apt does not create these folders, and downloads as an unprivileged user that must be able to enter.
  await mkdir(join(lists, "partial"), { recursive: true });
  await mkdir(join(archives, "partial"), { recursive: true });
  const settings = [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${cache}`,
    "Debug::NoLocking=true",
    "APT::Sandbox::User=root",
    "APT::Update::Post-Invoke-Success::=",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
    "Acquire::Retries=2",
  ].flatMap((setting) => ["-o", setting]);
  const aptOptions = ["--quiet", "--yes", "--no-install-recommends"];
  const limits = { timeout: 300_000, maxBuffer: 64 * 1024 * 1024 };
  await execute("apt-get", [...settings, "--quiet", "update"], limits);
  await execute(
    "apt-get",
    [...settings, ...aptOptions, "--download-only", "install", ...packages],
    limits,
  );
  const files = await readdir(archives);
  return files.filter((file) => file.endsWith(".deb")).map((file) => join(archives, file));
}

async function describeTree(root: string): Promise<UnpackedPackages> {
  const folders: string[] = [];
  for (const parent of ["usr/lib", "lib"]) {
    const names = await readdir(join(root, parent)).catch(() => []);
    folders.push(
      ...names
        .filter((name) => name.includes("-linux-gnu"))
        .map((name) => join(root, parent, name)),
    );
  }
  return { root, libraryPath: folders.join(":") };
}

/** Distribution and architecture, such as `debian12-x64`, since several may share a cache. */
async function systemName(): Promise<string> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  const field = (name: string): string =>
    new RegExp(`^${name}="?([\\w.-]+)"?$`, "m").exec(release)?.[1] ?? "";
  return `${field("ID")}${field("VERSION_ID")}-${process.arch}`;
}

async function moveInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await exists(to))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
