import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  homeFiles,
  homeVariables,
  ownCertificates,
  parseConfig,
  serviceVariables,
  signerVariables,
  UsageError,
  watermarkSecrets,
  type Environment,
} from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import { openRegistry } from "@atelier/generations/jobs";
import {
  createDevelopmentCertificates,
  identifyImage,
  InvalidImageError,
  readOwnSigners,
  type Identification,
  type ProvenanceReport,
} from "@atelier/provenance";
import { createMarkReader, inspectImage } from "@atelier/provenance/images";
import { presentVerification } from "@atelier/presentation";
import type { Storage } from "@atelier/storage";
import * as z from "zod";
import { findConnection, NoInstallationError } from "../connection.ts";
import { openStored } from "../open-stored.ts";
import type { Verifier } from "./verifier.ts";

const variables = z.object({
  WATERMARK_SECRET: serviceVariables.WATERMARK_SECRET,
  WATERMARK_OLD_SECRETS: serviceVariables.WATERMARK_OLD_SECRETS,
  ...signerVariables,
  ...homeVariables,
});

/** As large as images that models make; the bound of `POST /verify` is for strangers. */
const maxPixels = 100_000_000;

/**
 * Opens a verifier that looks images up by manifest, file hash, watermark, fingerprint and XMP in the
 * registry of the installation in the environment; if no installation is available, it checks only
 * manifest and XMP.
 *
 * @param trustAnchors a file of certificates in PEM. Default: those of the installation in
 *   ATELIER_HOME; without an installation no signer is trusted.
 */
export async function openLocalVerifier(
  trustAnchors: string | undefined,
  environment: Environment,
): Promise<Verifier> {
  const identifier = await openIdentifier(trustAnchors, environment);
  return {
    async verify(bytes) {
      const found = await identifier.identify(bytes);
      return found && { ...found.report, ...presentVerification(found.identification) };
    },
    close: () => identifier.close(),
  };
}

/** Identifies images as the verifier does, with the render of a registered one, for operators. */
export interface Identifier {
  /** Returns null when the bytes are not a complete image of a format that is inspected. */
  identify(bytes: Buffer): Promise<{
    readonly report: ProvenanceReport;
    readonly identification: Identification;
  } | null>;
  close(): Promise<void>;
}

/** Opens the registry of the installation in the environment; see {@link openLocalVerifier}. */
export async function openIdentifier(
  trustAnchors: string | undefined,
  environment: Environment,
): Promise<Identifier> {
  const trustAnchorsPem = await readTrustAnchors(trustAnchors, environment);
  const ownSigners = readOwnSigners(await findOwnCertificates(environment), trustAnchorsPem);
  const { database, storage } = await openInstallation(environment);
  const registry = database && openRegistry(database, storage);
  const secrets = database === null ? [] : await findWatermarkSecrets(environment);
  const readMarks = createMarkReader(secrets);
  return {
    async identify(bytes) {
      const traces = await inspectImage(bytes, { trustAnchorsPem, ownSigners, maxPixels }).catch(
        nullIfInvalid,
      );
      if (traces === null) return null;
      const identification = await identifyImage(traces, readMarks(traces.searchable), registry);
      return { report: traces.report, identification };
    },
    async close() {
      await storage?.close();
      await database?.close();
    },
  };
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof InvalidImageError) return null;
  throw error;
}

interface Installation {
  readonly database: Database | null;
  readonly storage: Storage | null;
}

/** Both are null when neither DATABASE_URL nor a running installation in ATELIER_HOME names a database. */
async function openInstallation(environment: Environment): Promise<Installation> {
  const connection = await findConnection(environment).catch((error: unknown) => {
    if (error instanceof NoInstallationError) return null;
    throw error;
  });
  if (connection === null) return { database: null, storage: null };
  const { databaseUrl: url, storageUrl } = connection;
  return {
    database: createDatabase({ url, poolSize: 1, applicationName: "atelier-verify" }),
    storage: storageUrl === null ? null : await openStored(storageUrl),
  };
}

/** Returns the secrets of the environment, or else those of the installation in ATELIER_HOME. */
async function findWatermarkSecrets(environment: Environment): Promise<string[]> {
  const settings = parseConfig(variables, environment);
  const own = watermarkSecrets(settings);
  if (own.length > 0) return own;
  const text = await readFile(homeFiles(settings.ATELIER_HOME).secrets, "utf8").catch(() => "{}");
  const { watermark_secret: installed } = z
    .object({ watermark_secret: z.string().optional() })
    .parse(JSON.parse(text));
  return installed === undefined ? [] : [installed, ...settings.WATERMARK_OLD_SECRETS];
}

/** Returns the certificates of the environment, or else those of the installation in ATELIER_HOME. */
async function findOwnCertificates(environment: Environment): Promise<string> {
  const settings = parseConfig(variables, environment);
  if (settings.SIGNING_CERTIFICATE_CHAIN !== undefined) return ownCertificates(settings);
  const { signingChain, oldSigningCertificates } = homeFiles(settings.ATELIER_HOME);
  const installed = await Promise.all(
    [signingChain, oldSigningCertificates].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  return [...installed, ownCertificates(settings)].join("\n");
}

async function readTrustAnchors(
  file: string | undefined,
  environment: Environment,
): Promise<string> {
  if (file !== undefined) {
    const pem = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new UsageError(`${file} cannot be read.`, { cause });
    });
    if (!isCertificate(pem)) throw new UsageError(`${file} contains no certificate in PEM.`);
    return pem;
  }
  const { ATELIER_HOME } = parseConfig(z.object(homeVariables), environment);
  const installed = await readFile(homeFiles(ATELIER_HOME).trustAnchors, "utf8").catch(() => null);
  // A new root certificate, which has not signed anything.
  return installed ?? (await createDevelopmentCertificates()).rootPem;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
