import { AppError } from "@atelier/schemas";

/** The error for an account without a secret that signs deliveries to a `webhook_url`. */
export function secretMissing(): AppError {
  return new AppError(
    "webhook_secret_missing",
    "The account has no secret that signs deliveries to a webhook_url. Create it with POST /v1/account/webhook-secret, or omit webhook_url.",
  );
}
