import { openSetting } from "@atelier/configuration";
import { createStorage, type Storage } from "@atelier/storage";

/** Opens a storage that commands read and never sign for. */
export function openStored(storageUrl: string): Promise<Storage> {
  return openSetting(
    "STORAGE_URL",
    createStorage({
      url: storageUrl,
      // A newly created storage would report every image as missing.
      mustExist: true,
      publicUrl: "http://localhost",
      signingSecret: "x".repeat(32),
    }),
  );
}
