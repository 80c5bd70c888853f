import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { initSync, WasmBuilder, WasmReader } from "@contentauth/c2pa-wasm";

/** The initialised C2PA library (c2pa-rs). Every builder and reader must be freed. */
interface C2pa {
  readonly Builder: typeof WasmBuilder;
  readonly Reader: typeof WasmReader;
}

let loading: Promise<C2pa> | undefined;

/** Compiles the library on first use, about 40 ms, and shares it in the process. */
export function loadC2pa(): Promise<C2pa> {
  loading ??= load();
  return loading;
}

async function load(): Promise<C2pa> {
  const file = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
  const module = await readFile(file);
  Object.defineProperty(globalThis, "FileReaderSync", { value: FileReaderSync });
  initSync({ module });
  return { Builder: WasmBuilder, Reader: WasmReader };
}

const contents = new WeakMap<Blob, Uint8Array>();

/** Wraps bytes in the file type that the library accepts, without copying them. */
export function toBlob(bytes: Uint8Array): Blob {
  const blob = Object.defineProperties(new Blob([]), {
    size: { value: bytes.length },
    slice: { value: (start: number, end: number) => toBlob(bytes.subarray(start, end)) },
  });
  contents.set(blob, bytes);
  return blob;
}

/**
 * The library targets web workers and reads files through their `FileReaderSync`, which Node lacks.
 * This one reads objects created by `toBlob`; the library copies the bytes.
 */
function FileReaderSync(): { readAsArrayBuffer(blob: Blob): ArrayBufferLike } {
  return {
    readAsArrayBuffer(blob) {
      const bytes = contents.get(blob);
      if (bytes === undefined) throw new TypeError("not a file that toBlob made");
      const isWhole = bytes.byteLength === bytes.buffer.byteLength;
      return isWhole ? bytes.buffer : new Uint8Array(bytes).buffer;
    },
  };
}

/** Settings for signing and reading: network access is disabled. */
export function c2paSettings(trustAnchorsPem: string): string {
  return JSON.stringify({
    version: 1,
    trust: { trust_anchors: trustAnchorsPem },
    core: {
      allowed_network_hosts: [],
      // CAWG identities are neither written nor reported here. Otherwise an identity from an
      // unknown issuer in a reference image would invalidate the image that uses the reference.
      decode_identity_assertions: false,
    },
    verify: {
      remote_manifest_fetch: false,
      ocsp_fetch: false,
      // This would verify the manifest but not the pixels. A reader verifies the finished bytes
      // instead.
      verify_after_sign: false,
    },
    builder: {
      thumbnail: { enabled: false },
      // This service vouches for all of its assertions. Assertions missing from this list would be
      // "gathered", that is, included without vouching, which the C2PA conformance programme
      // rejects.
      created_assertion_labels: [
        "c2pa.actions",
        "c2pa.ingredient",
        "c2pa.ai-disclosure",
        "c2pa.soft-binding",
        "c2pa.metadata",
      ],
    },
  });
}
