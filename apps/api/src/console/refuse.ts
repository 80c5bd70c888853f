import { AppError } from "@atelier/schemas";
import type { RefusalReason, refusalReasons } from "@atelier/schemas/admin";

/** Creates an error whose `details` have its reason, by which pages choose the text in their language. */
export function refusal<Code extends keyof typeof refusalReasons>(
  code: Code,
  reason: RefusalReason<Code>,
  message: string,
  { values = {}, cause }: { readonly values?: object; readonly cause?: unknown } = {},
): AppError {
  return new AppError(code, message, { details: { reason, ...values }, cause });
}
