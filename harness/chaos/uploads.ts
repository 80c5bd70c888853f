import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Stack, TestAccount } from "@atelier/testing";

/** An upload as its client knows it. */
export interface UploadRecord {
  readonly id: string;
  readonly sha256: string;
  /** `deleting` until the service has confirmed that it is deleted. */
  state: "kept" | "deleting" | "deleted";
}

interface Uploader {
  /**
   * Uploads a file; a request without a response is sent again.
   *
   * @throws Error when the client gives up.
   */
  readonly upload: (bytes: Buffer) => Promise<string>;
  /** Deletes uploads, until the service confirms each or the client gives up. */
  readonly remove: (ids: readonly string[]) => Promise<void>;
}

/** @param records receives every upload that the service has confirmed. */
export function createUploader(
  client: {
    readonly stack: Stack;
    readonly account: TestAccount;
    /** When the client gives up, on the clock of `performance`. */
    readonly endsAt: number;
    readonly retryDelayMs: number;
  },
  records: UploadRecord[],
): Uploader {
  const { stack, account, endsAt, retryDelayMs } = client;

  /** Repeats a request until `accepts` returns a result. */
  async function until<Result>(
    request: () => Promise<Response>,
    accepts: (response: Response) => Promise<Result | null>,
  ): Promise<Result> {
    while (performance.now() < endsAt) {
      try {
        const result = await accepts(await request());
        if (result !== null) return result;
      } catch {
        // The connection broke.
      }
      await delay(retryDelayMs);
    }
    throw new Error("the client gave up");
  }

  return {
    async upload(bytes) {
      const id = await until(
        () =>
          fetch(`${stack.url}/v1/uploads`, {
            method: "POST",
            headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
            body: new Uint8Array(bytes),
          }),
        async (response) => {
          const body = (await response.json()) as { readonly id: string };
          return response.status === 201 ? body.id : null;
        },
      );
      records.push({ id, sha256: hash("sha256", bytes), state: "kept" });
      return id;
    },
    async remove(ids) {
      for (const record of records.filter(({ id }) => ids.includes(id))) {
        record.state = "deleting";
        const isDeleted = await until(
          () => stack.request(account, "DELETE", `/v1/uploads/${record.id}`),
          async (response) => {
            await response.text();
            // The response to an earlier request may be lost.
            return response.status === 204 || response.status === 404 ? true : null;
          },
        ).catch(() => false);
        if (isDeleted) record.state = "deleted";
      }
    },
  };
}
