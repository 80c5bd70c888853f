import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Pixels } from "@atelier/watermark";
import sharp from "sharp";
import { toPixels, toSharp } from "./pictures.ts";

const run = promisify(execFile);

type Command = readonly [program: string, ...args: string[]];

/**
 * Encodes and decodes with programs of Debian (`ffmpeg`, `libheif-examples`, `libjxl-tools`).
 *
 * @param commands read `in.png` and write `out.png`, in a folder of their own.
 */
function through(...commands: readonly Command[]): (pixels: Pixels) => Promise<Pixels> {
  return async (pixels) => {
    const folder = await mkdtemp(join(tmpdir(), "atelier-attack-"));
    try {
      await writeFile(
        join(folder, "in.png"),
        await toSharp(pixels).png({ compressionLevel: 1 }).toBuffer(),
      );
      for (const [program, ...args] of commands) await run(program, args, { cwd: folder });
      return await toPixels(sharp(await readFile(join(folder, "out.png"))));
    } finally {
      await rm(folder, { recursive: true });
    }
  };
}

export const withHeic = (quality: number) =>
  through(
    ["heif-enc", "-q", String(quality), "-o", "out.heic", "in.png"],
    ["heif-convert", "out.heic", "out.png"],
  );

export const withJpegXl = (distance: number) =>
  through(
    ["cjxl", "-d", String(distance), "-e", "4", "in.png", "out.jxl"],
    ["djxl", "out.jxl", "out.png"],
  );

/** A picture of a video; sides of H.264 are even. */
export const asVideo = (constantRateFactor: number) =>
  through(
    [
      "ffmpeg",
      ..."-loglevel error -loop 1 -i in.png -frames:v 5 -vf crop=trunc(iw/2)*2:trunc(ih/2)*2".split(
        " ",
      ),
      ...`-c:v libx264 -preset fast -pix_fmt yuv420p -crf ${constantRateFactor} out.mp4`.split(" "),
    ],
    ["ffmpeg", ..."-loglevel error -i out.mp4 -vf select=eq(n\\,4) -frames:v 1 out.png".split(" ")],
  );
