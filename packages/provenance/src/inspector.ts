import { createLimitedProcess, LimitError, type ProcessLimits } from "@atelier/kit/limited-process";
import { Piscina } from "piscina";
import type { LookJudgement, SearchableImage } from "@atelier/watermark";
import { detectInspectedFormat } from "./file-format.ts";
import type { FoundMark } from "./identify-image.ts";
import { InvalidImageError } from "./image-format.ts";
import type { InspectAnswer, InspectRequest } from "./inspect-child.ts";
import type { ImageTraces, InspectOptions } from "./inspect-image.ts";
import type { LookQuestion, PlacedMark } from "./search-watermarks.ts";

/** Evidence of the origin of an image, with its watermarks. */
interface Inspection {
  readonly traces: ImageTraces;
  /** The most certain first; null without a watermark secret. */
  readonly marks: readonly FoundMark[] | null;
}

/**
 * Inspects untrusted images. A limited process without secrets reads manifest and pixels; a thread
 * with the secrets searches the reduced image for watermarks.
 */
export interface Inspector {
  /**
   * @throws InvalidImageError when the bytes are not a complete image, or exceed a limit of pixels,
   *   CPU time or memory.
   * @throws LimitError when the machine is too busy, or the process was ended.
   */
  inspect(bytes: Uint8Array): Promise<Inspection>;
  close(): Promise<void>;
}

export interface InspectorOptions extends InspectOptions {
  /** The current secret first. Without secrets, watermarks are not searched. */
  readonly watermarkSecrets: readonly string[];
  /** Limits of the process. */
  readonly limits: ProcessLimits;
  /** Reads the trust anchors for each image, so that they can be replaced while the program runs. */
  readonly readTrustAnchors?: (() => Promise<string | undefined>) | undefined;
}

const idleMs = 30_000;

/** Prepares an inspector of one image at a time; process and thread start with the first image. */
export function createInspector({
  watermarkSecrets,
  limits,
  readTrustAnchors,
  ...options
}: InspectorOptions): Inspector {
  const child = createLimitedProcess<InspectRequest, InspectAnswer>({
    work: "inspect",
    module: new URL("inspect-child.ts", import.meta.url),
    ...limits,
  });
  const threads = new Piscina<SearchableImage | LookQuestion, unknown>({
    filename: new URL("search-thread.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    workerData: watermarkSecrets,
  });

  async function search(searched: SearchableImage | null): Promise<readonly FoundMark[] | null> {
    if (watermarkSecrets.length === 0) return null;
    if (searched === null) return [];
    const marks = (await threads.run(searched)) as PlacedMark[];
    return marks.map(({ id, placement }) => ({
      id,
      judge: (look) =>
        threads.run({ searched, placement, look }, { name: "judgeLook" }) as Promise<LookJudgement>,
    }));
  }

  return {
    async inspect(bytes) {
      // Other files do not need the process.
      detectInspectedFormat(bytes);
      const trustAnchorsPem = (await readTrustAnchors?.()) ?? options.trustAnchorsPem;
      const request = { bytes, options: { ...options, trustAnchorsPem } };
      const { answer } = await child.run(request).catch((cause: unknown) => {
        if (!(cause instanceof LimitError) || !cause.isCausedByInput) throw cause;
        throw new InvalidImageError(`The image cannot be read: ${cause.message}.`, { cause });
      });
      if ("invalid" in answer) throw new InvalidImageError(answer.invalid);
      const { traces } = answer;
      return { traces, marks: await search(traces.searchable) };
    },
    async close() {
      child.close();
      await threads.close({ force: true });
    },
  };
}
