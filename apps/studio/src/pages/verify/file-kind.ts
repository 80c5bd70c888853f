/** The kind of a file by its first bytes: `picture` is one that the service reads. */
type FileKind = "picture" | "heic" | "other";

const pictures = /^(\x89PNG\r\n|\xff\xd8\xff|RIFF.{4}WEBP|.{4}ftypavi[fs]|GIF8|<svg|<\?xml)/s;
/** The brands of HEIF files (ISO/IEC 23008-12) that phones write. */
const heic = /^.{4}ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/s;

/**
 * Reads the kind of a file from its first bytes.
 *
 * @throws DOMException when the file was moved or deleted after it was chosen.
 */
export async function readKind(file: Blob): Promise<FileKind> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const start = String.fromCodePoint(...bytes);
  if (pictures.test(start)) return "picture";
  return heic.test(start) ? "heic" : "other";
}
