import type { Api } from "./api.ts";
import { ConnectionError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { readLines } from "./read-lines.ts";
import type { Account, ExportLine, UpdateAccountRequest } from "./types.ts";

export interface AccountCalls {
  get(options?: CallOptions): Promise<Account>;
  /** Changes what the request names. The key needs the scope `manage`. */
  update(request: UpdateAccountRequest, options?: CallOptions): Promise<Account>;
  /**
   * Exports all data of the account, line by line; `end` is the last one. The key needs the scopes
   * `read` and `manage`. A broken export is not repeated.
   *
   * @throws ConnectionError `incomplete_export` when the last line is missing.
   */
  export(options?: CallOptions): AsyncGenerator<ExportLine, void, undefined>;
}

export function createAccountCalls(api: Api): AccountCalls {
  return {
    get: (options) => api.getJson<Account>("/v1/account", options),
    update: (request, options) => api.patchJson<Account>("/v1/account", request, options),
    async *export(options) {
      const body = await api.getStream("/v1/account/export", options);
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
