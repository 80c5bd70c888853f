import { execFile } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { draw } from "@atelier/illustrator";
import type { Pixels } from "@atelier/watermark";
import sharp, { type Sharp } from "sharp";

const run = promisify(execFile);

export interface Picture {
  readonly name: string;
  readonly kind: "photograph" | "illustration";
  /** At most 1024 pixels on the shorter and 1600 on the longer side. */
  load(): Promise<Pixels>;
}

/**
 * Photographs in Debian packages that no constant of the watermark was chosen with: those were chosen with
 * packages of wallpapers.
 */
const photographs: Readonly<Record<string, { readonly folder: string; readonly files: string }>> = {
  "opencv-doc": {
    folder: "usr/share/doc/opencv-doc/examples/data",
    files:
      "aero1.jpg aloeL.jpg apple.jpg baboon.jpg basketball1.png building.jpg ela_original.jpg fruits.jpg graf1.png leuvenA.jpg stuff.jpg",
  },
  "python3-skimage": {
    folder: "usr/lib/python3/dist-packages/skimage/data",
    files:
      "astronaut.png coffee.png grass.png gravel.png hubble_deep_field.jpg motorcycle_left.png rocket.jpg",
  },
  "python3-sklearn": {
    folder: "usr/lib/python3/dist-packages/sklearn/datasets/images",
    files: "china.jpg flower.jpg",
  },
};

/** Downloads the packages with `apt-get` and unpacks them without installing anything. */
export async function loadPhotographs(directory: string): Promise<Picture[]> {
  await mkdir(directory, { recursive: true });
  const pictures: Picture[] = [];
  for (const [name, { folder, files }] of Object.entries(photographs)) {
    const root = join(directory, name);
    if ((await stat(root).catch(() => null)) === null) {
      await run("apt-get", ["download", "--quiet", name], { cwd: directory });
      await run("sh", ["-c", `dpkg -x "$1"_*.deb "$1.part" && mv "$1.part" "$1"`, "sh", name], {
        cwd: directory,
      });
    }
    for (const file of files.split(" ")) {
      const load = () => fitted(sharp(join(root, folder, file)));
      pictures.push({ name: `${name}: ${file}`, kind: "photograph", load });
    }
  }
  return pictures;
}

const prompts = [
  "a windmill in a field of tulips",
  "a girl with a red umbrella, watercolour",
  "an owl on a branch at night, ink",
  "a steam train in the mountains",
  "a market with vegetables, flat style",
  "two dogs at the beach",
  "a library with a spiral staircase, pastel",
  "a bridge in the fog, noir",
  "a sunflower in a vase",
  "an astronaut on the moon",
];
const aspectRatios = ["1:1", "4:3", "9:16", "3:2", "16:9"] as const;

/** Pictures of the built-in illustrator, of prompts that no constant was chosen with. */
export function listIllustrations(count: number): Picture[] {
  return Array.from({ length: count }, (_, index) => {
    const prompt = prompts[index % prompts.length]!;
    const request = {
      kind: index % 10 === 9 ? ("pattern" as const) : ("scene" as const),
      prompt,
      references: [],
      seed: 7_000 + index,
      aspectRatio: aspectRatios[index % aspectRatios.length]!,
      imageSize: "1K" as const,
    };
    return {
      name: `illustration ${index}: ${prompt}`,
      kind: "illustration" as const,
      load: async () => toPixels(sharp(await draw(request))),
    };
  });
}

function fitted(image: Sharp): Promise<Pixels> {
  const smaller = { withoutEnlargement: true };
  return toPixels(image.resize(1024, 1024, { fit: "outside", ...smaller })).then((pixels) =>
    Math.max(pixels.width, pixels.height) <= 1600
      ? pixels
      : toPixels(toSharp(pixels).resize(1600, 1600, { fit: "inside", ...smaller })),
  );
}

export function toSharp({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

export async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}
