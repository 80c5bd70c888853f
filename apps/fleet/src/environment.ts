import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { withoutEmpty, type Environment } from "@atelier/configuration";
import { processTuning } from "@atelier/process";
import { createDevelopmentCertificates } from "@atelier/provenance";
import type { ServiceUrls } from "./start-services.ts";

const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/node-compile", import.meta.url),
);

/**
 * Creates the environment of the programs: generated secrets, the user's variables, and the service
 * URLs.
 */
export async function makeEnvironment(
  own: Environment,
  { database, queue, storage }: ServiceUrls,
): Promise<Record<string, string>> {
  const secret = () => randomBytes(24).toString("base64url");
  const certificates = await createDevelopmentCertificates();
  return {
    // Compilation is half of the start time, so the cache is shared between fleets.
    NODE_COMPILE_CACHE: compileCache,
    ...processTuning,
    URL_SIGNING_SECRET: secret(),
    KEY_PEPPER: secret(),
    ADMIN_KEY: secret(),
    METRICS_TOKEN: secret(),
    WATERMARK_SECRET: secret(),
    SIGNING_CERTIFICATE_CHAIN: certificates.certificateChainPem,
    SIGNING_PRIVATE_KEY: certificates.privateKeyPem,
    SIGNING_TRUST_ANCHORS: certificates.rootPem,
    ...withoutEmpty(own),
    DATABASE_URL: database,
    ...(queue === null ? {} : { QUEUE_URL: queue }),
    STORAGE_URL: storage,
  };
}
