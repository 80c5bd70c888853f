export { createStorage, type StorageOptions } from "./create-storage.ts";
export { longestLifeSeconds } from "./sign-options.ts";
export { StorageError } from "./storage-error.ts";
export type { ListedObject, SignedUrl, SignOptions, Storage, StoredObject } from "./storage.ts";
