import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeFiles } from "@atelier/configuration";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { readIfPresent, writePrivateFile } from "./private-file.ts";

/** PEM files that the worker signs with. */
export interface CertificateFiles {
  readonly chain: string;
  readonly privateKey: string;
  readonly trustAnchors: string;
  /** Signing certificates before the last renewal; empty before the first. */
  readonly oldSigningCertificates: string;
}

const renewBeforeMs = 30 * 86_400_000;

/**
 * Returns the development certificates of this installation. They are created on the first start
 * and renewed 30 days before the signing certificate expires. A renewal creates a new root; old
 * roots remain trust anchors and old signing certificates are kept, so that earlier images still
 * verify as made here.
 */
export async function readOrMakeCertificates(
  home: string,
  now: Date = new Date(),
): Promise<CertificateFiles> {
  const { trustAnchors, signingChain, oldSigningCertificates } = homeFiles(home);
  const directory = dirname(trustAnchors);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const files = {
    chain: signingChain,
    privateKey: join(directory, "private-key.pem"),
    trustAnchors,
    oldSigningCertificates,
  };
  const chain = await readIfPresent(files.chain);
  const privateKey = await readIfPresent(files.privateKey);
  const earlierAnchors = await readIfPresent(trustAnchors);
  const earlierCertificates = await readIfPresent(oldSigningCertificates);
  if (earlierCertificates === null) await writePrivateFile(oldSigningCertificates, "");
  if (earlierAnchors !== null && areUsable(chain, privateKey, now)) return files;
  const certificates = await createDevelopmentCertificates({ now });
  await writePrivateFile(
    trustAnchors,
    `${certificates.rootPem.trimEnd()}\n${earlierAnchors ?? ""}`,
  );
  // Kept before the chain is replaced; a start after a crash may add it twice, which is harmless.
  await writePrivateFile(
    oldSigningCertificates,
    `${chain === null ? "" : `${chain.trimEnd()}\n`}${earlierCertificates ?? ""}`,
  );
  await writePrivateFile(files.privateKey, certificates.privateKeyPem);
  await writePrivateFile(files.chain, certificates.certificateChainPem);
  return files;
}

function areUsable(chain: string | null, privateKey: string | null, now: Date): boolean {
  if (chain === null || privateKey === null) return false;
  try {
    const certificate = new X509Certificate(chain);
    return (
      certificate.validToDate.getTime() - now.getTime() > renewBeforeMs &&
      // A crash between the two writes leaves a certificate and a key that do not match.
      certificate.checkPrivateKey(createPrivateKey(privateKey))
    );
  } catch {
    return false;
  }
}
