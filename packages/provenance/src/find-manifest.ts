import type { FileFormat } from "./file-format.ts";
import { readBoxes } from "./jumbf.ts";
import { findStore } from "./manifest-slot.ts";

/** The manifest store of a file, with the id of its active manifest. */
export interface FoundManifest {
  /** The UUID of the manifest, whose label is `urn:c2pa:` with it (C2PA 2.4, unique identifiers). */
  readonly id: string;
  readonly store: Buffer;
}

const labelPattern =
  /^urn:c2pa:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:$|:)/;

/** Returns the UUID in the label of a manifest, such as `urn:c2pa:…`; null for another label. */
export function manifestIdOf(label: string): string | null {
  return labelPattern.exec(label.toLowerCase())?.[1] ?? null;
}

/** Finds the manifest of a file; null when it is not where this program puts it. */
export function findManifest(format: FileFormat, file: Buffer): FoundManifest | null {
  try {
    const store = format === "svg" ? findInSvg(file) : findStore(format, file).store;
    const id = manifestIdOf(readBoxes(store)[0]?.boxes.at(-1)?.label ?? "");
    return id === null ? null : { id, store };
  } catch {
    return null;
  }
}

/** C2PA 2.4, embedding in SVG: the store in base64, in the element `c2pa:manifest`. */
function findInSvg(file: Buffer): Buffer {
  const [, base64 = ""] = /<c2pa:manifest[^<>]*>([^<]*)</.exec(file.toString("latin1")) ?? [];
  return Buffer.from(base64, "base64");
}

/**
 * Returns a store that contains only the active manifest.
 *
 * @throws Error for a store without one.
 */
export function activeManifestOf(store: Buffer): Buffer {
  const [root] = readBoxes(store);
  const [description, active] = [root?.boxes[0], root?.boxes.at(-1)];
  if (description?.type !== "jumd" || active?.type !== "jumb") {
    throw new Error("The store has no manifest.");
  }
  const content = [description, active].map(({ start, end }) => store.subarray(start, end));
  const header = Buffer.from(store.subarray(0, 8));
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([header, ...content]);
}
