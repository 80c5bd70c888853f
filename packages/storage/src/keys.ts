const segment = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`);
const prefixPattern = new RegExp(`^(?:${segment}/)*(?:${segment})?$`);
const maxKeyLength = 512;

const contentTypes: Readonly<Record<string, string>> = {
  avif: "image/avif",
  jpeg: "image/jpeg",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
};

export function isKey(key: string): boolean {
  return key.length <= maxKeyLength && keyPattern.test(key);
}

/** @throws TypeError for a key that could leave the storage's folder, or that a store would encode. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
}

export function assertPrefix(prefix: string): void {
  if (prefix.length > maxKeyLength || !prefixPattern.test(prefix)) {
    throw new TypeError(`not a prefix of storage keys: ${JSON.stringify(prefix)}`);
  }
}

/**
 * The content type of a key's extension. Files have no other place for it, so all stores use it and
 * objects can be copied between stores.
 */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf(".") + 1);
  return contentTypes[extension] ?? "application/octet-stream";
}

export function assertContentType(key: string, contentType: string): void {
  if (contentTypeOf(key) !== contentType) {
    throw new TypeError(
      `the key ${key} requires the content type ${contentTypeOf(key)}, not ${contentType}`,
    );
  }
}
