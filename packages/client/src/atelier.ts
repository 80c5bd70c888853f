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
  /**
   * The address of the service, such as `http://localhost:3000`. It may have a path; a trailing `/v1` is
   * removed. Required: there is no default, and no environment variable is read.
   */
  readonly baseUrl: string;
  /**
   * `atl_live_…`. It decides the account that pays and the rights of every call. Required: no environment
   * variable is read. Signed URLs of images are requested without it.
   */
  readonly apiKey: string;
}

/**
 * A client of one service with one API key. Every promise rejects with an AtelierError, or with the
 * reason of the call's signal.
 */
export interface Atelier {
  /**
   * Generates one image, or several with `n`. Waits until it is done.
   *
   * @example
   * ```ts
   * const image = await atelier.generateImage({
   *   model: "builtin-illustrator",
   *   prompt: "A red fox in a snowy birch forest",
   *   aspect_ratio: "16:9",
   * });
   * console.log(image.image_url, image.cost_eur);
   * ```
   */
  generateImage(request: ImageRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Generates one scene with the references of an earlier story.
   *
   * @example
   * ```ts
   * const scene = await atelier.generateScene({
   *   model: "builtin-illustrator",
   *   prompt: "Mira on a mountain at night",
   *   characters: [
   *     {
   *       name: "Mira",
   *       description: "a girl with red hair",
   *       reference_url: story.characters?.[0]?.reference_url ?? "",
   *     },
   *   ],
   * });
   * ```
   */
  generateScene(request: SceneRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Changes an image, inside a mask or everywhere.
   *
   * @example
   * ```ts
   * const night = await atelier.generateEdit({
   *   model: "builtin-illustrator",
   *   prompt: "the same bay at night",
   *   image: { job_id: image.id },
   *   strength: 0.5,
   * });
   * ```
   */
  generateEdit(request: EditRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Makes one image of two to five.
   *
   * @example
   * ```ts
   * const both = await atelier.generateCombination({
   *   model: "builtin-illustrator",
   *   prompt: "the fox in the bay",
   *   images: [
   *     { description: "the fox", job_id: fox.id },
   *     { description: "the bay", job_id: bay.id },
   *   ],
   * });
   * ```
   */
  generateCombination(request: CombineRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Draws an icon, a logo or an illustration, also as SVG.
   *
   * @example
   * ```ts
   * const icon = await atelier.generateGraphic({
   *   model: "builtin-graphic",
   *   kind: "icon",
   *   prompt: "a sailing boat",
   *   background: "transparent",
   * });
   * ```
   */
  generateGraphic(request: GraphicRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Lays out a diagram from words or a source, also as SVG.
   *
   * @example
   * ```ts
   * const diagram = await atelier.generateDiagram({
   *   model: "builtin-diagram",
   *   source: "graph LR\n  request --> queue --> worker",
   *   language: "mermaid",
   * });
   * ```
   */
  generateDiagram(request: DiagramRequest, options?: GenerateOptions): Promise<Generation>;
  /**
   * Generates a story: references first, then the scenes in order. It may take minutes.
   *
   * @example
   * ```ts
   * const story = await atelier.generateStory(
   *   {
   *     model: "builtin-illustrator",
   *     characters: [{ name: "Mira", description: "a girl with red hair" }],
   *     scenes: [{ prompt: "Mira by the sea", characters: [{ name: "Mira" }] }],
   *   },
   *   { onProgress: (job) => console.log(job.scenes_completed, job.scenes_total) },
   * );
   * console.log(story.scenes?.length);
   * ```
   */
  generateStory(request: StoryRequest, options?: GenerateOptions): Promise<Generation>;
  readonly jobs: Jobs;
  readonly models: {
    /**
     * Lists the models with their capabilities and prices.
     *
     * @example
     * ```ts
     * const models = await atelier.models.list();
     * console.log(models.filter(({ supports_edit }) => supports_edit).map(({ id }) => id));
     * ```
     */
    list(options?: CallOptions): Promise<readonly Model[]>;
  };
  readonly account: AccountCalls;
  readonly keys: Keys;
  /**
   * Sums jobs, images and cost. The key needs the scope `read`.
   *
   * @example
   * ```ts
   * const { total, rows } = await atelier.usage({ from: "2026-11-01", group_by: "model" });
   * console.log(total.cost_eur, rows.length);
   * ```
   */
  usage(query?: UsageQuery, options?: CallOptions): Promise<Usage>;
  readonly transactions: {
    /**
     * Returns a page of the account's transactions, newest first. The key needs the scope `read`.
     *
     * @example
     * ```ts
     * const { transactions, next_cursor } = await atelier.transactions.list({ limit: 50 });
     * console.log(transactions.length, next_cursor);
     * ```
     */
    list(query?: TransactionQuery, options?: CallOptions): Promise<TransactionList>;
  };
  /**
   * Returns the price and the estimated wait of a request, without accepting it.
   *
   * @example
   * ```ts
   * const request = { model: "builtin-illustrator", prompt: "A fox" };
   * const { price_eur, affordable } = await atelier.quote({ operation: "image", request });
   * console.log(price_eur, affordable);
   * ```
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly images: {
    /**
     * Downloads an image and compares it with its SHA-256.
     *
     * @throws IntegrityError if they differ; ConnectionError `download_failed` if the URL has expired.
     *
     * @example
     * ```ts
     * const { webp } = image.formats ?? {};
     * if (webp !== undefined) await writeFile("fox.webp", await atelier.images.download(webp));
     * ```
     */
    readonly download: DownloadImage;
  };
}

/**
 * Creates a client. No request is sent until a method is called.
 *
 * @throws InvalidRequestError `invalid_argument` for an invalid base URL, or a key that cannot be sent
 *   in a header.
 *
 * @example
 * ```ts
 * const atelier = createAtelier({ baseUrl: "http://localhost:3000", apiKey: "atl_live_…" });
 * ```
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
