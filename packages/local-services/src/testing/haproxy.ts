import { join } from "node:path";
import { commandSucceeds } from "../child-process.ts";
import { unpackDebianPackages } from "../debian-packages.ts";
import type { StartServiceOptions, Unavailable } from "../service.ts";

/** The program HAProxy, and the environment that it needs. */
export interface FoundHaproxy {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Finds HAProxy: the installed one, else Debian's package from the cache. */
export async function findHaproxy(
  options: Pick<StartServiceOptions, "cacheDirectory" | "log">,
): Promise<FoundHaproxy | Unavailable> {
  if (await commandSucceeds("haproxy", ["-v"])) return { command: "haproxy", environment: {} };
  const packages = await unpackDebianPackages({
    ...options,
    name: "haproxy",
    packages: ["haproxy"],
  });
  if ("unavailable" in packages) return packages;
  return {
    command: join(packages.root, "usr/sbin/haproxy"),
    environment: { LD_LIBRARY_PATH: packages.libraryPath },
  };
}
