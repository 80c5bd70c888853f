import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Look } from "@atelier/watermark";
import { array, byteString, decodeCbor, integer, map, textString, type CborValue } from "./cbor.ts";
import { activeManifestOf, type FoundManifest } from "./find-manifest.ts";

/**
 * The record of an image that is kept after its files are deleted: its look, which confirms the watermark of a copy,
 * and the manifests of its files, which anyone can request.
 */
export interface Dossier {
  /** Null for an image without a watermark. */
  readonly look: Look | null;
  readonly manifests: readonly FoundManifest[];
}

/** Larger ones are not read: a manifest store has at most 2 MB of ingredients. */
const maxBytes = 32 * 1_048_576;

/**
 * Encodes a dossier: CBOR, compressed, since the manifests of the files of an image are alike. Of each store,
 * only the active manifest is kept: those of ingredients can contain thumbnails, authors and places of the
 * client's own photographs, and anyone can request what is kept.
 */
export function encodeDossier({ look, manifests }: Dossier): Buffer {
  const fields: (readonly [Buffer, Buffer])[] = [
    [
      textString("manifests"),
      array(
        ...manifests.map(({ id, store }) =>
          map(
            [textString("id"), textString(id)],
            [textString("store"), byteString(activeManifestOf(store))],
          ),
        ),
      ),
    ],
  ];
  if (look !== null) {
    const { width, height, columns, rows, cells } = look;
    fields.push([
      textString("look"),
      map(
        [textString("width"), integer(width)],
        [textString("height"), integer(height)],
        [textString("columns"), integer(columns)],
        [textString("rows"), integer(rows)],
        [textString("cells"), byteString(cells)],
      ),
    ]);
  }
  return zstdCompressSync(map(...fields));
}

type CborMap = { readonly [key: string]: CborValue };

/**
 * Decodes a dossier. Manifests of ingredients, which dossiers of earlier versions have, are left out.
 *
 * @throws Error for bytes that are not a dossier.
 */
export function decodeDossier(bytes: Uint8Array): Dossier {
  const content = zstdDecompressSync(bytes, { maxOutputLength: maxBytes });
  const { look, manifests } = decodeCbor(content) as CborMap;
  if (!Array.isArray(manifests)) throw new Error("The dossier has no manifests.");
  return {
    look: look === undefined ? null : readLook(look as CborMap),
    manifests: (manifests as readonly CborMap[]).map(({ id, store }) => {
      if (typeof id !== "string" || !(store instanceof Buffer)) {
        throw new Error("A manifest of the dossier has no id or no store.");
      }
      return { id, store: activeManifestOf(store) };
    }),
  };
}

function readLook({ width, height, columns, rows, cells }: CborMap): Look {
  const isLook =
    typeof width === "number" &&
    typeof height === "number" &&
    typeof columns === "number" &&
    typeof rows === "number" &&
    cells instanceof Buffer &&
    cells.length === columns * rows;
  if (!isLook) throw new Error("The look of the dossier is incomplete.");
  return { width, height, columns, rows, cells };
}
