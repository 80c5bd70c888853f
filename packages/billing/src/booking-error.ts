import type { RefusalReason } from "@atelier/schemas/admin";

/** A booking that the ledger refuses. */
export class BookingError extends RangeError {
  override readonly name = "BookingError";
  readonly reason: RefusalReason<"change_refused">;
  /** Facts of the message, such as amounts. */
  readonly values: Readonly<Record<string, string>>;

  constructor(
    reason: RefusalReason<"change_refused">,
    message: string,
    options: { readonly values?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.values = options.values ?? {};
  }
}
