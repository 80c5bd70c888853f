import { readFile } from "node:fs/promises";
import type { Unavailable } from "@atelier/local-services";
import { parse } from "yaml";
import { findEngine, startEngine, type Engine } from "./engine.ts";
import { buildStandIns, pullImages, type PublicImages } from "./provide-images.ts";

/** The public images that the Dockerfile and the Compose file name. */
export async function readPublicImages(): Promise<PublicImages> {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const { services } = parse(await read("docker-compose.yml"), { merge: true }) as {
    services: Readonly<Record<keyof PublicImages, { readonly image: string }>>;
  };
  const { postgres, valkey, s3, proxy } = services;
  return {
    node: /^FROM (\S+)/m.exec(await read("Dockerfile"))?.[1] ?? "",
    postgres: postgres.image,
    valkey: valkey.image,
    s3: s3.image,
    proxy: proxy.image,
  };
}

/**
 * Like `openEngine`, and says on which engine a suite runs or why it is skipped.
 *
 * @throws Error instead of skipping it with `REQUIRE_ALL_SUITES=1`.
 */
export async function openSuiteEngine(
  images: PublicImages,
  log: (line: string) => void,
): Promise<Engine | Unavailable> {
  const opened = await openEngine(images, log);
  if ("unavailable" in opened) {
    const line = `The container suite is skipped: ${opened.unavailable}.`;
    if (process.env["REQUIRE_ALL_SUITES"] === "1") throw new Error(line);
    log(line);
  } else {
    log(`Running on ${opened.description}.`);
  }
  return opened;
}

/**
 * Returns the engine of this machine if it has all public images or can pull them; otherwise a
 * private engine with stand-ins.
 */
async function openEngine(
  images: PublicImages,
  log: (line: string) => void,
): Promise<Engine | Unavailable> {
  const found = await findEngine();
  let reason: string;
  if ("unavailable" in found) {
    reason = found.unavailable;
  } else {
    try {
      await pullImages(found, images);
      return found;
    } catch (error) {
      reason = `the engine of this machine cannot pull: ${(error as Error).message.split("\n").at(-1)}`;
    }
  }
  log(`${reason}; starting an engine of its own`);
  const engine = await startEngine(log);
  if ("unavailable" in engine) return { unavailable: `${reason}; ${engine.unavailable}` };
  try {
    await buildStandIns(engine, images, log);
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}
