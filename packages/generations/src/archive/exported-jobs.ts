/** Bytes of a UUID. */
const idBytes = 16;

/** The ids of jobs that an export has written: 16 bytes each, since an account may have a million. */
export interface ExportedJobs {
  /** @param ids smaller than all ids before, the largest first. */
  add(ids: readonly string[]): void;
  has(id: string): boolean;
}

/** Makes an empty set. */
export function createExportedJobs(): ExportedJobs {
  let bytes = Buffer.alloc(0);
  let count = 0;
  return {
    add(ids) {
      const needed = (count + ids.length) * idBytes;
      if (needed > bytes.length) {
        const larger = Buffer.alloc(needed * 2);
        bytes.copy(larger);
        bytes = larger;
      }
      for (const id of ids) bytesOf(id).copy(bytes, count++ * idBytes);
    },
    has(id) {
      const wanted = bytesOf(id);
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const at = middle * idBytes;
        const order = wanted.compare(bytes, at, at + idBytes);
        if (order === 0) return true;
        if (order > 0) high = middle;
        else low = middle + 1;
      }
      return false;
    },
  };
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}
