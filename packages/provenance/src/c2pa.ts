import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { initSync, WasmBuilder, WasmReader } from "@contentauth/c2pa-wasm";

/** The C2PA library (c2pa-rs), ready for use. Every builder and reader must be freed. */
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

/** Bytes in the shape that the library takes files in; they are not copied. */
export function toBlob(bytes: Uint8Array): Blob {
  const blob = Object.defineProperties(new Blob([]), {
    size: { value: bytes.length },
    slice: { value: (start: number, end: number) => toBlob(bytes.subarray(start, end)) },
  });
  contents.set(blob, bytes);
  return blob;
}

/**
 * The library is made for web workers and reads files through their `FileReaderSync`, which Node
 * lacks. This one reads what `toBlob` made; the library copies what it is given.
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

/** Settings common to signing and reading: nothing is ever fetched from elsewhere. */
export function c2paSettings(trustAnchorsPem: string): string {
  return JSON.stringify({
    version: 1,
    trust: { trust_anchors: trustAnchorsPem },
    core: {
      allowed_network_hosts: [],
      // CAWG identities are neither written nor reported here; one in a reference image, of an
      // issuer unknown here, would count against the image that the reference went into.
      decode_identity_assertions: false,
    },
    verify: {
      remote_manifest_fetch: false,
      ocsp_fetch: false,
      // Would check the manifest and not the pixels. A reader checks the finished bytes instead.
      verify_after_sign: false,
    },
    builder: {
      thumbnail: { enabled: false },
      // This service vouches for all of its assertions. Those that are not listed here would be
      // "gathered": passed on without vouching, which the C2PA conformance programme refuses.
      created_assertion_labels: ["c2pa.actions", "c2pa.ingredient", "c2pa.ai-disclosure"],
    },
  });
}
