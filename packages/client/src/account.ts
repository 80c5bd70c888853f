import { readStream, type Api } from "./api.ts";
import { ConnectionError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { readLines } from "./read-lines.ts";
import type { Account, AccountWebhookSecret, ExportLine, UpdateAccountRequest } from "./types.ts";

export interface AccountCalls {
  /**
   * Reads the balance, the held amount and the settings.
   *
   * @example
   * ```ts
   * const { balance_eur, held_eur } = await atelier.account.get();
   * console.log(balance_eur, held_eur);
   * ```
   */
  get(options?: CallOptions): Promise<Account>;
  /**
   * Changes the settings that the request names; others stay. The key needs the scope `manage`.
   *
   * @example
   * ```ts
   * await atelier.account.update({ low_balance_eur: "5.00" });
   * ```
   */
  update(request: UpdateAccountRequest, options?: CallOptions): Promise<Account>;
  /**
   * Makes the secret that signs deliveries to the `webhook_url` of requests, or replaces it. It is returned only
   * here. The key needs the scope `manage`.
   *
   * @param options.graceHours how long deliveries are also signed with the old one, at most 168.
   *   Default: 24.
   * @param options.mode the mode of the keys whose requests it is for. Default: that of the key.
   *
   * @example
   * ```ts
   * const { secret } = await atelier.account.createWebhookSecret();
   * ```
   */
  createWebhookSecret(
    options?: CallOptions & {
      readonly graceHours?: number | undefined;
      readonly mode?: AccountWebhookSecret["mode"] | undefined;
    },
  ): Promise<AccountWebhookSecret>;
  /**
   * Reads the secret that signs deliveries to the `webhook_url` of requests of test keys, for a test key or a key
   * with the scope `manage`.
   *
   * @throws RefusedError `webhook_secret_missing` for an account without secrets.
   *
   * @example
   * ```ts
   * const { secret } = await atelier.account.getTestWebhookSecret();
   * ```
   */
  getTestWebhookSecret(options?: CallOptions): Promise<AccountWebhookSecret>;
  /**
   * Exports all data of the account, line by line; `end` is the last one. The key needs the scopes
   * `read` and `manage`. A broken export is not repeated.
   *
   * @throws ConnectionError `incomplete_export` when the last line is missing.
   *
   * @example
   * ```ts
   * for await (const line of atelier.account.export()) console.log(JSON.stringify(line));
   * ```
   */
  export(options?: CallOptions): AsyncGenerator<ExportLine, void, undefined>;
}

export function createAccountCalls({ call, send }: Api): AccountCalls {
  return {
    get: (options) => call("GET /v1/account", options),
    update: (body, options) => call("PATCH /v1/account", { body, ...options }),
    createWebhookSecret: ({ graceHours, mode, signal } = {}) =>
      call("POST /v1/account/webhook-secret", {
        body: { grace_hours: graceHours, mode },
        signal,
        once: true,
      }),
    getTestWebhookSecret: (options) => call("GET /v1/account/webhook-secret", options),
    async *export(options) {
      const body = await send("GET /v1/account/export", readStream, options);
      let isComplete = false;
      for await (const text of readLines(body)) {
        const line = JSON.parse(text) as ExportLine;
        isComplete = line.type === "end";
        yield line;
      }
      if (!isComplete) {
        throw new ConnectionError(
          "incomplete_export",
          "The export ended before its last line. Request it again.",
        );
      }
    },
  };
}
