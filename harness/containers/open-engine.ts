import type { Unavailable } from "@atelier/local-services";
import { findEngine, startEngine, type Engine } from "./engine.ts";
import { buildStandIns, pullImages, type PublicImages } from "./provide-images.ts";

/**
 * Returns the engine of this machine if it has all public images or can pull them; otherwise a
 * private engine with stand-ins.
 */
export async function openEngine(
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
