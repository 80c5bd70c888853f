import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { ApiKey, ChangedKey, CreateKeyRequest, MintedKey, UpdateKeyRequest } from "./types.ts";

/** Keys of the account; the client's own key needs the scope `manage`. */
export interface Keys {
  /**
   * Lists the keys, newest first, revoked ones included.
   *
   * @example
   * ```ts
   * const keys = await atelier.keys.list();
   * console.log(keys.map(({ id, name }) => [id, name]));
   * ```
   */
  list(options?: CallOptions): Promise<readonly ApiKey[]>;
  /**
   * Creates a key. Its `key` is returned only here.
   *
   * @example
   * ```ts
   * const { id, key } = await atelier.keys.create({
   *   name: "website",
   *   scopes: ["generate"],
   *   budget: { eur: "5.00", period: "month" },
   * });
   * ```
   */
  create(request: CreateKeyRequest, options?: CallOptions): Promise<MintedKey>;
  /**
   * Changes the settings that the request names; null removes models, budget or expiry. `ended` of the
   * result counts the keys, webhooks and sessions that ended with the earlier rights.
   *
   * @example
   * ```ts
   * const { ended } = await atelier.keys.update(keyId, { budget: null, scopes: ["read"] });
   * console.log(ended);
   * ```
   */
  update(keyId: string, request: UpdateKeyRequest, options?: CallOptions): Promise<ChangedKey>;
  /**
   * Refuses the key from now on, and ends the keys, webhooks and sessions that it created, which `ended`
   * of the result counts.
   *
   * @example
   * ```ts
   * const { ended } = await atelier.keys.revoke(keyId);
   * console.log(ended);
   * ```
   */
  revoke(keyId: string, options?: CallOptions): Promise<ChangedKey>;
  /**
   * Replaces the key by a new one with the same id, limits and spending.
   *
   * @param options.graceHours how long the old key still works, at most 168. Default: 0, which refuses it
   *   at once.
   *
   * @example
   * ```ts
   * const { key } = await atelier.keys.rotate(keyId, { graceHours: 24 });
   * ```
   */
  rotate(
    keyId: string,
    options?: CallOptions & { readonly graceHours?: number | undefined },
  ): Promise<MintedKey>;
}

export function createKeys({ call }: Api): Keys {
  return {
    async list(options) {
      const { keys } = await call("GET /v1/keys", options);
      return keys;
    },
    create: (body, options) => call("POST /v1/keys", { body, ...options, once: true }),
    update: (keyId, body, options) =>
      call("PATCH /v1/keys/{id}", { params: { keyId }, body, ...options }),
    revoke: (keyId, options) => call("DELETE /v1/keys/{id}", { params: { keyId }, ...options }),
    rotate: (keyId, { graceHours, signal } = {}) =>
      call("POST /v1/keys/{id}/rotate", {
        params: { keyId },
        body: { grace_hours: graceHours },
        signal,
        once: true,
      }),
  };
}
