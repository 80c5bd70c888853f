export { createStorage, type StorageOptions } from "./create-storage.ts";
export type { PacedStorage } from "./paced-storage.ts";
export { StorageError } from "./storage-error.ts";
export type {
  FailedDeletion,
  ListedObject,
  SignedUrl,
  SignOptions,
  Storage,
  StoredObject,
} from "./storage.ts";
