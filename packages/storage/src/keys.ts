const segment = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`);
const prefixPattern = new RegExp(`^(?:${segment}/)*(?:${segment})?$`);
const maxKeyLength = 512;

const contentTypes: Readonly<Record<string, string>> = {
  jpeg: "image/jpeg",
  json: "application/json",
  png: "image/png",
  webp: "image/webp",
};

export function isKey(key: string): boolean {
  return key.length <= maxKeyLength && keyPattern.test(key);
}

/** @throws TypeError for a key that could leave the storage's folder, or that a store would write otherwise. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
}

export function assertPrefix(prefix: string): void {
  if (prefix.length > maxKeyLength || !prefixPattern.test(prefix)) {
    throw new TypeError(`not a prefix of storage keys: ${JSON.stringify(prefix)}`);
  }
}

/**
 * What a key's extension says about its content. Files have no other place for it, so every store
 * keeps to it, and an object moves from one store to another unchanged.
 */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf(".") + 1);
  return contentTypes[extension] ?? "application/octet-stream";
}

export function assertContentType(key: string, contentType: string): void {
  if (contentTypeOf(key) !== contentType) {
    throw new TypeError(`the key ${key} stands for ${contentTypeOf(key)}, not for ${contentType}`);
  }
}
