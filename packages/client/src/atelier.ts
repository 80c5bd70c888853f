import { createAccountCalls, type AccountCalls } from "./account.ts";
import { withQuery } from "./addresses.ts";
import { createApi } from "./api.ts";
import { createDownloadImage, type DownloadImage } from "./download-image.ts";
import { createFiles, type Files } from "./files.ts";
import { createGenerate } from "./generate.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import type { CallOptions, GenerateOptions } from "./options.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createTransport, readJson, type TransportOptions } from "./transport.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";
import type {
  CombineRequest,
  DiagramRequest,
  EditRequest,
  Generation,
  GraphicRequest,
  ImageRequest,
  Model,
  ModelList,
  Quote,
  QuoteRequest,
  SceneRequest,
  StoryRequest,
  TransactionList,
  TransactionQuery,
  Usage,
  UsageQuery,
} from "./types.ts";

export interface AtelierOptions extends TransportOptions {
  /** The address of the service, such as `http://localhost:3000`. */
  readonly baseUrl: string;
  /** `atl_live_…` */
  readonly apiKey: string;
}

/**
 * A client of one service with one API key. Every promise rejects with an AtelierError, or with the
 * reason of the call's signal.
 */
export interface Atelier {
  /** Generates one image. */
  generateImage(request: ImageRequest, options?: GenerateOptions): Promise<Generation>;
  /** Generates one scene with the references of an earlier story. */
  generateScene(request: SceneRequest, options?: GenerateOptions): Promise<Generation>;
  /** Changes an image, inside a mask or everywhere. */
  generateEdit(request: EditRequest, options?: GenerateOptions): Promise<Generation>;
  /** Makes one image of two to five. */
  generateCombination(request: CombineRequest, options?: GenerateOptions): Promise<Generation>;
  /** Draws an icon, a logo or an illustration, also as SVG. */
  generateGraphic(request: GraphicRequest, options?: GenerateOptions): Promise<Generation>;
  /** Lays out a diagram, also as SVG. */
  generateDiagram(request: DiagramRequest, options?: GenerateOptions): Promise<Generation>;
  /** Generates a story: references first, then the scenes in order. */
  generateStory(request: StoryRequest, options?: GenerateOptions): Promise<Generation>;
  readonly jobs: Jobs;
  readonly models: { list(options?: CallOptions): Promise<readonly Model[]> };
  readonly account: AccountCalls;
  readonly keys: Keys;
  /** Sums jobs, images and cost. The key needs the scope `read`. */
  usage(query?: UsageQuery, options?: CallOptions): Promise<Usage>;
  readonly transactions: {
    /** Returns a page of the account's transactions, newest first. The key needs the scope `read`. */
    list(query?: TransactionQuery, options?: CallOptions): Promise<TransactionList>;
  };
  /** Returns the price and the estimated wait of a request, without accepting it. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly images: {
    /**
     * Downloads an image and compares it with its SHA-256.
     *
     * @throws IntegrityError if they differ; ConnectionError `download_failed` if the URL has expired.
     */
    readonly download: DownloadImage;
  };
}

/**
 * Creates a client. No request is sent until a method is called.
 *
 * @throws InvalidRequestError `invalid_argument` for an invalid base URL, or a key that cannot be sent
 *   in a header.
 */
export function createAtelier(options: AtelierOptions): Atelier {
  const transport = createTransport(options);
  const api = createApi(transport, options.baseUrl, options.apiKey);
  const jobs = createJobs(api);
  const generate = createGenerate(api, jobs);
  return {
    generateImage: (request, given) => generate("/v1/generate/image", request, given),
    generateScene: (request, given) => generate("/v1/generate/scene", request, given),
    generateEdit: (request, given) => generate("/v1/generate/edit", request, given),
    generateCombination: (request, given) => generate("/v1/generate/combine", request, given),
    generateGraphic: (request, given) => generate("/v1/generate/graphic", request, given),
    generateDiagram: (request, given) => generate("/v1/generate/diagram", request, given),
    generateStory: (request, given) => generate("/v1/generate/story", request, given),
    jobs,
    models: {
      async list(given) {
        const { models } = await api.getJson<ModelList>("/v1/models", given);
        return models;
      },
    },
    account: createAccountCalls(api),
    keys: createKeys(api),
    usage: (query = {}, given) => api.getJson<Usage>(withQuery("/v1/usage", query), given),
    transactions: {
      list: (query = {}, given) =>
        api.getJson<TransactionList>(withQuery("/v1/transactions", query), given),
    },
    quote: (request, given) => api.post("/v1/quotes", request, readJson<Quote>, given),
    files: createFiles(api),
    uploads: createUploads(api),
    webhooks: createWebhooks(api),
    images: { download: createDownloadImage(transport) },
  };
}
