import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A checkout of a release. */
export interface ReleasedVersion {
  readonly commit: string;
  readonly directory: string;
  /** Removes the checkout. */
  remove(): Promise<void>;
}

/**
 * Checks out a release. It uses the packages of this checkout, and its own workspaces.
 *
 * @param from its commit. Default: the last release, whose commit is in `harness/upgrade/released-commit`.
 * @throws Error when this clone does not have the commit and cannot fetch it.
 */
export async function checkOutRelease(directory: string, from?: string): Promise<ReleasedVersion> {
  const lastRelease = new URL("released-commit", import.meta.url);
  const commit = from ?? (await readFile(lastRelease, "utf8")).trim();
  await requireCommit(commit);
  await execute("git", ["worktree", "add", "--quiet", "--detach", directory, commit], {
    cwd: root,
  });
  await linkPackages(directory);
  await execute(process.execPath, ["packages/database/generate.ts"], {
    cwd: directory,
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` },
  });
  return {
    commit,
    directory,
    remove: async () =>
      void (await execute("git", ["worktree", "remove", "--force", directory], { cwd: root })),
  };
}

async function requireCommit(commit: string): Promise<void> {
  const has = () => execute("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root });
  try {
    await has();
  } catch {
    try {
      await execute("git", ["fetch", "--quiet", "--depth", "1", "origin", commit], { cwd: root });
      await has();
    } catch (cause) {
      throw new Error(
        `This clone does not contain the released commit ${commit}, and could not fetch it. ` +
          'Run "git fetch --unshallow", then this test again.',
        { cause },
      );
    }
  }
}

/**
 * Links the packages of this checkout into the other one. Its own workspaces take the place of ours, also
 * in folders of packages that only one workspace uses.
 */
async function linkPackages(directory: string): Promise<void> {
  await linkFolder(join(root, "node_modules"), join(directory, "node_modules"), ["@atelier"]);
  await mkdir(join(directory, "node_modules/@atelier"));
  for (const group of ["apps", "packages"]) {
    for (const name of await readdir(join(directory, group))) {
      const workspace = join(directory, group, name);
      if (!existsSync(join(workspace, "package.json"))) continue;
      await symlink(workspace, join(directory, "node_modules/@atelier", name));
      const nested = join(root, group, name, "node_modules");
      if (existsSync(nested)) await symlink(nested, join(workspace, "node_modules"));
    }
  }
}

async function linkFolder(
  source: string,
  target: string,
  skipped: readonly string[],
): Promise<void> {
  await mkdir(target);
  for (const name of await readdir(source)) {
    if (!skipped.includes(name)) await symlink(join(source, name), join(target, name));
  }
}
