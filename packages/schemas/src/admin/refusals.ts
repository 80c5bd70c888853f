/** The reasons in `details` of errors of the admin port, by their codes. Pages have a text for each. */
export const refusalReasons = {
  change_refused: [
    "account_erased",
    "amount_not_positive",
    "balance_too_large",
    "balance_too_small",
    "key_revoked",
    "log_refused",
    "not_refundable",
    "reference_used",
  ],
  not_permitted: ["foreign_page", "no_identity_provider", "read_only", "unknown_address"],
  overloaded: ["identity_provider_silent"],
} as const;

type Reasons = typeof refusalReasons;

/** A reason of an error of the admin port. */
export type RefusalReason<Code extends keyof Reasons = keyof Reasons> = Reasons[Code][number];
