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
  /** Lists the keys, newest first, revoked ones included. */
  list(options?: CallOptions): Promise<readonly ApiKey[]>;
  /** Creates a key. Its `key` is returned only here. */
  create(request: CreateKeyRequest, options?: CallOptions): Promise<MintedKey>;
  /**
   * Changes what the request names; null removes models, budget or expiry. `ended` of the result counts
   * what ended with the earlier rights.
   */
  update(keyId: string, request: UpdateKeyRequest, options?: CallOptions): Promise<ChangedKey>;
  /** Refuses the key from now on, and ends what it created, which `ended` of the result counts. */
  revoke(keyId: string, options?: CallOptions): Promise<ChangedKey>;
  /**
   * Replaces the key by a new one with the same id, limits and spending.
   *
   * @param options.graceHours how long the old key still works. Default: 0.
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
