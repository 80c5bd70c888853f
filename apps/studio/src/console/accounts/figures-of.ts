import type { AdminAccount } from "@atelier/schemas/admin";
import { formatEur, formatNumber } from "../../format.ts";
import { texts } from "../../texts/console.ts";

/** Formats the spending and the failed jobs of an account in 30 days; "at least" where not all jobs were read. */
export function figuresOf({ last_30_days: month }: AdminAccount): {
  readonly spent: string;
  readonly failed: string;
} {
  const shown = (text: string) => (month.is_complete ? text : texts.console.atLeast(text));
  const spent = Number(month.charged_eur) - Number(month.refunded_eur);
  return { spent: shown(formatEur(spent)), failed: shown(formatNumber(month.failed_jobs)) };
}
