import { ConfigError } from "@atelier/configuration";
import type { ApiConfig } from "../config.ts";

/**
 * The address that shared pages show to report abuse.
 *
 * @throws ConfigError without one.
 */
export function abuseContact({ ABUSE_CONTACT }: Pick<ApiConfig, "ABUSE_CONTACT">): string {
  if (ABUSE_CONTACT !== undefined) return ABUSE_CONTACT;
  throw new ConfigError(
    "ABUSE_CONTACT: is required for SHARES=on. Set the e-mail address or the URL where visitors of shared pages report abuse",
  );
}
