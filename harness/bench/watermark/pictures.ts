import { execFile } from "node:child_process";
import { glob, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { draw } from "@atelier/illustrator";
import type { Pixels } from "@atelier/watermark";
import sharp, { type Sharp } from "sharp";

const run = promisify(execFile);

/** Debian packages of wallpapers: photographs and drawings by many authors. */
const packages = [
  "mate-backgrounds",
  "gnome-backgrounds",
  "ukui-wallpapers",
  "lomiri-wallpapers-16.04",
  "lomiri-wallpapers-20.04",
  "plasma-workspace-wallpapers",
];

export interface Picture {
  readonly name: string;
  readonly kind: "photograph" | "illustration";
  /** At most 1024 pixels on the shorter and 1600 on the longer side. */
  load(): Promise<Pixels>;
}

/**
 * Downloads the packages with `apt-get` and unpacks them without installing anything.
 *
 * @returns one file of each wallpaper, and the centre of large ones as an additional picture. Overlays
 *   with transparent pixels are left out: without their background they are not pictures.
 * @throws Error if `apt-get` is missing.
 */
export async function loadPhotographs(directory: string): Promise<Picture[]> {
  const unpacked = join(directory, "unpacked");
  await mkdir(unpacked, { recursive: true });
  for (const name of packages) {
    const [known] = await collect(glob(`${name}_*.deb`, { cwd: directory }));
    if (known !== undefined) continue;
    await run("apt-get", ["download", "--quiet", name], { cwd: directory });
    const [archive = ""] = await collect(glob(`${name}_*.deb`, { cwd: directory }));
    await run("dpkg", ["-x", join(directory, archive), unpacked]);
  }
  const files = await collect(glob("**/*.{jpg,jpeg,png,webp}", { cwd: unpacked }));
  const pictures: Picture[] = [];
  for (const name of await pickLargest(unpacked, files.toSorted())) {
    const file = join(unpacked, name);
    const { width, height } = await sharp(file).metadata();
    if (Math.min(width, height) < 700 || /screenshot/i.test(name)) continue;
    if (!(await sharp(file).stats()).isOpaque) continue;
    pictures.push({ name, kind: "photograph", load: () => fitted(sharp(file)) });
    if (Math.min(width, height) < 1500) continue;
    const middle = {
      left: (width - 1024) >> 1,
      top: (height - 1024) >> 1,
      width: 1024,
      height: 1024,
    };
    pictures.push({
      name: `${name} (middle)`,
      kind: "photograph",
      load: () => toPixels(sharp(file).extract(middle)),
    });
  }
  return pictures;
}

/** Wallpapers come in folders with the same picture in several sizes. */
async function pickLargest(root: string, files: readonly string[]): Promise<string[]> {
  const picked = new Map<string, { name: string; size: number }>();
  for (const name of files) {
    const { size } = await stat(join(root, name));
    const group = /\/contents\/images/.test(name) ? dirname(name) : name;
    if (size > (picked.get(group)?.size ?? 60_000)) picked.set(group, { name, size });
  }
  return [...picked.values()].map(({ name }) => name);
}

const subjects = [
  "a red house by a lake",
  "two friends in a kitchen",
  "a fox in a snowy forest",
  "a lighthouse in a storm",
  "a bowl of fruit on a table",
  "a sailing boat at dawn",
  "a castle at night",
  "an old woman with glasses",
  "a city street in the rain",
  "mountains in spring",
  "a rocket over the desert",
  "a cat on a windowsill",
  "flowers in blue and gold",
];
const styles = ["", ", watercolour", ", ink", ", flat style", ", pastel", ", noir"];
const aspectRatios = ["1:1", "4:3", "9:16", "3:2"] as const;

/** Scenes of the built-in illustrator; every tenth picture is an ornament. */
export function listIllustrations(count: number): Picture[] {
  return Array.from({ length: count }, (_, index) => {
    const prompt = `${subjects[index % subjects.length]}${styles[index % styles.length]}`;
    const kind = index % 10 === 9 ? ("pattern" as const) : ("scene" as const);
    return {
      name: `${kind} ${index}: ${prompt}`,
      kind: "illustration" as const,
      load: async () =>
        toPixels(
          sharp(
            await draw({
              kind,
              prompt,
              references: [],
              seed: index,
              aspectRatio: aspectRatios[index % aspectRatios.length] ?? "1:1",
              imageSize: "1K",
            }),
          ),
        ),
    };
  });
}

export function fitted(image: Sharp): Promise<Pixels> {
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

async function collect(names: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  return all;
}
