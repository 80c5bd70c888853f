import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { processTuning, withoutEmpty, type Environment } from "@atelier/configuration";
import { createDevelopmentCertificates } from "@atelier/provenance";
import type { ServiceUrls } from "./start-services.ts";

const compileCache = fileURLToPath(
  new URL("../../../node_modules/.cache/node-compile", import.meta.url),
);

/**
 * What the programs of a fleet are told: secrets for as long as it lives, whatever the user has set,
 * and where the data is.
 */
export async function makeEnvironment(
  own: Environment,
  { database, queue, storage }: ServiceUrls,
): Promise<Record<string, string>> {
  const secret = () => randomBytes(24).toString("base64url");
  const certificates = await createDevelopmentCertificates();
  return {
    // Half of what a start costs is compiling; it is kept from one fleet to the next.
    NODE_COMPILE_CACHE: compileCache,
    ...processTuning,
    URL_SIGNING_SECRET: secret(),
    KEY_PEPPER: secret(),
    ADMIN_KEY: secret(),
    SIGNING_CERTIFICATE_CHAIN: certificates.certificateChainPem,
    SIGNING_PRIVATE_KEY: certificates.privateKeyPem,
    SIGNING_TRUST_ANCHORS: certificates.rootPem,
    // Each has its own, if any.
    ...withoutEmpty({ ...own, WORKER_ADMIN_PORT: undefined }),
    DATABASE_URL: database,
    ...(queue === null ? {} : { QUEUE_URL: queue }),
    STORAGE_URL: storage,
  };
}
