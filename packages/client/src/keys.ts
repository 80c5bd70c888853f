import { pathSegment } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type {
  ApiKey,
  ApiKeyList,
  ChangedKey,
  CreateKeyRequest,
  MintedKey,
  UpdateKeyRequest,
} from "./types.ts";

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

export function createKeys(api: Api): Keys {
  const path = (keyId: string) => `/v1/keys/${pathSegment("keyId", keyId)}`;
  return {
    async list(options) {
      const { keys } = await api.getJson<ApiKeyList>("/v1/keys", options);
      return keys;
    },
    create: (request, options) =>
      api.post("/v1/keys", request, readJson<MintedKey>, { ...options, once: true }),
    update: async (keyId, request, options) =>
      api.patchJson<ChangedKey>(path(keyId), request, options),
    revoke: async (keyId, options) => api.deleteJson<ChangedKey>(path(keyId), options),
    rotate: async (keyId, { graceHours, signal } = {}) =>
      api.post(
        `${path(keyId)}/rotate`,
        graceHours === undefined ? {} : { grace_hours: graceHours },
        readJson<MintedKey>,
        { signal, once: true },
      ),
  };
}
