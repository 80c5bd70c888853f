/**
 * The policy of Studio's pages: they load, send and embed nothing of other origins, except images of
 * the storage, and no script may write HTML (Trusted Types).
 *
 * @param imageOrigin origin of signed image URLs; null for pages that show none.
 * @param host `Host` of the request: the host of the page.
 */
export function contentSecurityPolicy(
  imageOrigin: string | null,
  host: string | undefined,
): string {
  const isOwn = imageOrigin === null || new URL(imageOrigin).host === host;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob:${isOwn ? "" : ` ${imageOrigin}`}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
