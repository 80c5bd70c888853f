import { createAccountCalls, type AccountCalls } from "./account.ts";
import { createApi } from "./api.ts";
import { createAssist, type Assist } from "./assist.ts";
import { createBatches, type Batches } from "./batches.ts";
import { createBudgets, type Budgets } from "./budgets.ts";
import { createPresets, type Presets } from "./presets.ts";
import { createCollections, type Collections } from "./collections.ts";
import { createCharacters, createLocations, type Characters, type Locations } from "./cast.ts";
import { createDownloadImage, type DownloadImage } from "./download-image.ts";
import { createEdit, type EditCall } from "./edit.ts";
import { createFiles, type Files } from "./files.ts";
import { createGenerateCalls, type GenerateCalls } from "./generate-calls.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import type { CallOptions, GenerateOptions } from "./options.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createMembers, type Members } from "./members.ts";
import { createShares, type Shares } from "./shares.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";
import type {
  ImageResult,
  Model,
  Quote,
  QuoteRequest,
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
export interface Atelier extends GenerateCalls {
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
  readonly members: Members;
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
  /**
   * Edits an image that the caller has, in one call.
   *
   * @throws RefusedError `upload_invalid` for bytes that are no PNG, JPEG, WebP or AVIF.
   *
   * @example
   * ```ts
   * const night = await atelier.edit({
   *   model: "builtin-illustrator",
   *   prompt: "the same bay at night",
   *   image: await readFile("bay.png"),
   * });
   * console.log(night.image_url);
   * ```
   */
  edit(request: EditCall, options?: GenerateOptions): Promise<ImageResult>;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly characters: Characters;
  readonly locations: Locations;
  readonly collections: Collections;
  readonly presets: Presets;
  readonly assist: Assist;
  readonly shares: Shares;
  readonly budgets: Budgets;
  readonly batches: Batches;
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
  const calls = createGenerateCalls(api, jobs);
  return {
    ...calls,
    edit: createEdit(calls),
    jobs,
    models: {
      async list(given) {
        const { models } = await api.call("GET /v1/models", given);
        return models;
      },
    },
    account: createAccountCalls(api),
    keys: createKeys(api),
    members: createMembers(api),
    usage: (query, given) => api.call("GET /v1/usage", { query, ...given }),
    transactions: {
      list: (query, given) => api.call("GET /v1/transactions", { query, ...given }),
    },
    quote: (body, given) => api.call("POST /v1/quotes", { body, ...given }),
    files: createFiles(api),
    uploads: createUploads(api),
    characters: createCharacters(api),
    locations: createLocations(api),
    collections: createCollections(api),
    presets: createPresets(api),
    assist: createAssist(api),
    shares: createShares(api),
    budgets: createBudgets(api),
    batches: createBatches(api),
    webhooks: createWebhooks(api),
    images: { download: createDownloadImage(transport) },
  };
}
