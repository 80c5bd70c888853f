/**
 * The Content-Disposition of an image that is shown in place and saved under `downloadName`
 * (RFC 6266). A name beyond ASCII is given twice, for old clients with `_` in place of the rest.
 * Throws for a name with control characters.
 */
export function contentDisposition(downloadName: string): string {
  // oxlint-disable-next-line no-control-regex -- exactly these would break the header apart
  if (/[\u0000-\u001f\u007f]/.test(downloadName) || !downloadName.isWellFormed()) {
    throw new Error("a download name has no control characters");
  }
  const quoted = downloadName.replace(/[^ -~]/gu, "_").replace(/["\\]/g, "\\$&");
  const plain = `inline; filename="${quoted}"`;
  if (/^[ -~]*$/.test(downloadName)) return plain;
  // RFC 8187 leaves fewer characters as they are than encodeURIComponent does.
  const encoded = encodeURIComponent(downloadName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
