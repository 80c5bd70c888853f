import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  images,
  labelsOf,
  readBillOfMaterials,
  writeNotices,
  type ImageName,
  type Source,
} from "./bill-of-materials.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

const help = `npm run image -- [--no-build]

Builds the container images of the current commit, with labels, and writes what is published with each into the folder
"release": the bill of materials (SPDX) and the notices of packages of others. Publishes nothing.

  --no-build   only write the files
`;

async function readSource(): Promise<Source> {
  const git = async (...args: string[]) =>
    (await execute("git", args, { cwd: root })).stdout.trim();
  if ((await git("status", "--porcelain")) !== "") {
    throw new Error(
      "The working tree has changes. Commit them, so that the label names what is built.",
    );
  }
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const seconds = Number(await git("show", "--no-patch", "--format=%ct"));
  return {
    version,
    commit: await git("rev-parse", "HEAD"),
    date: new Date(seconds * 1_000).toISOString(),
  };
}

async function buildImage(image: ImageName, source: Source): Promise<void> {
  const labels = Object.entries(labelsOf(source, image)).map(
    ([name, value]) => `--label=${name}=${value}`,
  );
  const { target } = images[image];
  const args = ["build", `--target=${target}`, `--tag=${image}:${source.version}`, ...labels, root];
  const child = spawn("docker", args, { stdio: "inherit" });
  const [exitCode] = (await once(child, "exit")) as [number | null];
  if (exitCode !== 0) throw new Error("docker build failed");
}

const options = process.argv.slice(2);
if (options.some((option) => option !== "--no-build")) {
  process.stdout.write(help);
} else {
  try {
    const source = await readSource();
    const folder = join(root, "release");
    await mkdir(folder, { recursive: true });
    for (const image of Object.keys(images) as ImageName[]) {
      const bill = await readBillOfMaterials(root, source, image);
      const name = `${image}-${source.version}`;
      await writeFile(join(folder, `${name}.spdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
      await writeFile(join(folder, `${name}-notices.txt`), await writeNotices(root, bill));
      if (!options.includes("--no-build")) await buildImage(image, source);
      process.stdout.write(`Written: release/${name}.spdx.json, release/${name}-notices.txt\n`);
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
