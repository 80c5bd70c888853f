/**
 * Returns the Content-Disposition of an image that is shown inline and saved as `downloadName` (RFC
 * 6266). An SVG is a document when it is opened by itself, so it is only saved; a page can still show
 * it as an image. For old clients, a non-ASCII name is also sent with `_` in place of other characters.
 *
 * @throws Error for a name with control characters.
 */
export function contentDisposition(downloadName: string): string {
  // oxlint-disable-next-line no-control-regex -- these would split the header
  if (/[\u0000-\u001f\u007f]/.test(downloadName) || !downloadName.isWellFormed()) {
    throw new Error("a download name must not contain control characters");
  }
  const quoted = downloadName.replace(/[^ -~]/gu, "_").replace(/["\\]/g, "\\$&");
  const plain = `${downloadName.endsWith(".svg") ? "attachment" : "inline"}; filename="${quoted}"`;
  if (/^[ -~]*$/.test(downloadName)) return plain;
  // RFC 8187 escapes more characters than encodeURIComponent.
  const encoded = encodeURIComponent(downloadName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
