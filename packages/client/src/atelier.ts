import { createApi } from "./api.ts";
import { createDownloadImage, type DownloadImage } from "./download-image.ts";
import { createFiles, type Files } from "./files.ts";
import { createGenerate } from "./generate.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import type { CallOptions, GenerateOptions } from "./options.ts";
import { createTransport } from "./transport.ts";
import type {
  Account,
  Generation,
  ImageRequest,
  Model,
  ModelList,
  SceneRequest,
  StoryRequest,
} from "./types.ts";

export interface AtelierOptions {
  /** Where the service is, such as `http://localhost:3000`. */
  readonly baseUrl: string;
  /** `atl_live_…` */
  readonly apiKey: string;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is repeated; 4 when left out. */
  readonly maxRetries?: number | undefined;
  /** When an attempt without an answer is given up and repeated, in milliseconds; 60,000 when left out. */
  readonly attemptTimeoutMs?: number | undefined;
}

/**
 * A service, as one account sees it. Every promise is rejected with an AtelierError, or with the reason
 * of the signal that was given to the call.
 */
export interface Atelier {
  /** Makes one image. */
  generateImage(request: ImageRequest, options?: GenerateOptions): Promise<Generation>;
  /** Makes one scene again, with the references of an earlier story. */
  generateScene(request: SceneRequest, options?: GenerateOptions): Promise<Generation>;
  /** Makes a story: portraits first, then scene after scene. */
  generateStory(request: StoryRequest, options?: GenerateOptions): Promise<Generation>;
  readonly jobs: Jobs;
  readonly models: { list(options?: CallOptions): Promise<readonly Model[]> };
  readonly account: { get(options?: CallOptions): Promise<Account> };
  readonly files: Files;
  readonly images: {
    /**
     * The bytes of an image, compared with its SHA-256.
     *
     * @throws IntegrityError when they differ; ConnectionError `download_failed` when its URL expired.
     */
    readonly download: DownloadImage;
  };
}

/**
 * A client of the service at a base URL. It asks for nothing before it is called.
 *
 * @throws InvalidRequestError `invalid_argument` when the base URL is no address, or no header
 *   can hold the key.
 */
export function createAtelier(options: AtelierOptions): Atelier {
  const { baseUrl, apiKey, maxRetries = 4, attemptTimeoutMs = 60_000 } = options;
  const transport = createTransport({
    // Looked up at the call: browsers refuse a fetch that is called as a property of something else.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    maxRetries,
    attemptTimeoutMs,
  });
  const api = createApi(transport, baseUrl, apiKey);
  const jobs = createJobs(api);
  const generate = createGenerate(api, jobs);
  return {
    generateImage: (request, given) => generate("/v1/generate/image", request, given),
    generateScene: (request, given) => generate("/v1/generate/scene", request, given),
    generateStory: (request, given) => generate("/v1/generate/story", request, given),
    jobs,
    models: {
      async list(given) {
        const { models } = await api.getJson<ModelList>("/v1/models", given);
        return models;
      },
    },
    account: { get: (given) => api.getJson<Account>("/v1/account", given) },
    files: createFiles(api),
    images: { download: createDownloadImage(transport) },
  };
}
