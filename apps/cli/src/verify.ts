import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  homeFiles,
  homeVariables,
  parseConfig,
  UsageError,
  type Environment,
} from "@atelier/configuration";
import {
  createDevelopmentCertificates,
  InvalidImageError,
  verifyProvenance,
  type ProvenanceReport,
} from "@atelier/provenance";
import * as z from "zod";
import { properties, type Answer } from "./answer.ts";
import { exitCodes } from "./exit-codes.ts";

export interface VerifyFlags {
  readonly trustAnchors?: string;
}

const verdicts: Readonly<Record<ProvenanceReport["state"], string>> = {
  trusted: "valid, and signed by somebody you trust",
  valid: "valid, but signed by somebody that no trust anchor vouches for",
  invalid: "NOT valid: the image or its manifest was changed, or breaks the rules",
  absent: "none",
};

const unknownAuthority = ", by an authority that no trust anchor vouches for";

/**
 * What the manifest in an image says, and whether it holds. The exit code is 9 where there is none
 * that is valid.
 *
 * @param flags.trustAnchors a file of certificates in PEM; those of the installation in ATELIER_HOME
 *   when left out; nobody is trusted where there is none.
 */
export async function verify(
  path: string,
  { trustAnchors }: VerifyFlags,
  environment: Environment,
): Promise<Answer> {
  const trustAnchorsPem = await readTrustAnchors(trustAnchors, environment);
  const report = await verifyProvenance(await read(path), { trustAnchorsPem }).catch(
    (cause: unknown) => {
      if (!(cause instanceof InvalidImageError)) throw cause;
      throw new UsageError(`${path} is not an image in PNG, JPEG or WebP.`, { cause });
    },
  );
  const isWhole = report.state === "trusted" || report.state === "valid";
  return {
    json: { file: path, valid: isWhole, trusted: report.state === "trusted", ...report },
    text: describe(path, report),
    exitCode: isWhole ? exitCodes.done : exitCodes.unverified,
  };
}

function describe(path: string, report: ProvenanceReport): string {
  const { signedBy, timeStamp } = report;
  const rows: (readonly [string, string | null])[] = [
    ["File", path],
    ["Manifest", verdicts[report.state]],
    ["AI-made", describeMaking(report)],
    ["Made with", report.softwareAgent],
    ["Made by", report.claimGenerator],
    ["Made at", report.createdAt],
    ["Signed by", signedBy && [signedBy.name, signedBy.organization].filter(Boolean).join(", ")],
    ["Stamped at", timeStamp && `${timeStamp.at}${timeStamp.trusted ? "" : unknownAuthority}`],
    ["Source type", report.digitalSourceType],
    ["From", report.ingredients.map(({ title }) => title ?? "an image").join(", ") || null],
    ["Problems", report.problems.join(", ") || null],
  ];
  return properties(rows.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function describeMaking({ aiGenerated, digitalSourceType }: ProvenanceReport): string | null {
  if (aiGenerated === null) return null;
  if (aiGenerated) return "yes: a trained model made it, or a part of it";
  return digitalSourceType?.endsWith("/algorithmicMedia") === true
    ? "no: a machine made it by rules, without a trained model"
    : "no";
}

async function readTrustAnchors(
  file: string | undefined,
  environment: Environment,
): Promise<string> {
  if (file !== undefined) {
    const pem = (await read(file)).toString("utf8");
    if (!isCertificate(pem)) throw new UsageError(`${file} holds no certificate in PEM.`);
    return pem;
  }
  const { ATELIER_HOME } = parseConfig(z.object(homeVariables), environment);
  const installed = await readFile(homeFiles(ATELIER_HOME).trustAnchors, "utf8").catch(() => null);
  // A root that was just made, and that is forgotten at once, vouches for nobody.
  return installed ?? (await createDevelopmentCertificates()).rootPem;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function read(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new UsageError(`${path} can't be read.`, { cause });
  });
}
