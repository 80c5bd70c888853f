import type { Model } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { Operation } from "@atelier/schemas";
import type { Caller } from "./call.ts";

/**
 * Returns the first available model of the key for an operation, or else the first degraded one,
 * which may recover or have a fallback.
 */
export async function firstModel(
  { atelier, follow: { signal } }: Caller,
  operation: Operation,
): Promise<string> {
  const models = await atelier.models.list({ signal });
  const first = (wanted: Model["status"]) =>
    models.find(({ status, operations }) => status === wanted && operations.includes(operation));
  const model = first("available") ?? first("degraded");
  if (model === undefined) {
    throw new UsageError(
      `No model that this key may use is available for ${operation}. The command "models" lists its models.`,
    );
  }
  return model.id;
}
