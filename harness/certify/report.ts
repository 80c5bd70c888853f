import * as z from "zod";

/** The checks of a certification, in the order in which they run. */
export const checkNames = [
  "generate",
  "edit",
  "mask",
  "references",
  "refusal",
  "wrong key",
  "rate limit",
  "cancel",
  "lost response",
  "cost",
] as const;
export type CheckName = (typeof checkNames)[number];

/**
 * `not provoked`: the vendor did not do what the check is about, such as refusing its prompt. `not
 * applicable`: the model does not support it. `not run`: it could have exceeded the spend.
 */
const status = z.enum(["passed", "failed", "not provoked", "not applicable", "not run"]);
export type CheckStatus = z.infer<typeof status>;

const checkResult = z.strictObject({
  name: z.enum(checkNames),
  status,
  message: z.string(),
  duration_ms: z.int().min(0),
});
export type CheckResult = z.infer<typeof checkResult>;

const exchange = z.strictObject({
  check: z.enum(checkNames),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
  }),
  /** Null when there was none. */
  response: z
    .strictObject({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
    })
    .nullable(),
});
export type Exchange = z.infer<typeof exchange>;

const amount = z.string().regex(/^\d+\.\d{2,6}$/);

/** The report of a certification. Its exchanges have no keys and no images. */
export const certificationReport = z.strictObject({
  provider: z.string(),
  kind: z.string(),
  model: z.string(),
  provider_model: z.string(),
  started_at: z.iso.datetime(),
  versions: z.strictObject({ atelier: z.string(), node: z.string() }),
  max_spend: amount,
  /** Known costs, and estimates of those that are unknown. */
  spent: amount,
  currency: z.string(),
  unknown_costs: z.int().min(0),
  /** Units that the vendor stated or that were counted, to be compared with the bill. */
  units: z.record(z.string(), z.number()),
  checks: z.array(checkResult),
  exchanges: z.array(exchange),
});
export type CertificationReport = z.infer<typeof certificationReport>;

/** Whether a report shows that a provider works: it makes images, and no check failed or is left. */
export function isCertified({ checks }: Pick<CertificationReport, "checks">): boolean {
  return (
    checks.some(({ name, status: ended }) => name === "generate" && ended === "passed") &&
    checks.every(({ status: ended }) => ended !== "failed" && ended !== "not run")
  );
}
