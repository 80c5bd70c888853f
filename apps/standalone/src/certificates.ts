import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeFiles } from "@atelier/configuration";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { readIfPresent, writePrivateFile } from "./private-file.ts";

/** Files in PEM that the worker signs with. */
export interface CertificateFiles {
  readonly chain: string;
  readonly privateKey: string;
  readonly trustAnchors: string;
}

const renewBeforeMs = 30 * 86_400_000;

/**
 * The development certificates of this installation, made on the first start and again 30 days
 * before the signing certificate expires. A renewal brings a new root; the old ones stay among the
 * trust anchors, so that images signed before still verify.
 */
export async function readOrMakeCertificates(
  home: string,
  now: Date = new Date(),
): Promise<CertificateFiles> {
  const { trustAnchors } = homeFiles(home);
  const directory = dirname(trustAnchors);
  await mkdir(directory, { recursive: true });
  const files = {
    chain: join(directory, "chain.pem"),
    privateKey: join(directory, "private-key.pem"),
    trustAnchors,
  };
  const chain = await readIfPresent(files.chain);
  const privateKey = await readIfPresent(files.privateKey);
  const earlierAnchors = await readIfPresent(trustAnchors);
  if (earlierAnchors !== null && areUsable(chain, privateKey, now)) return files;
  const made = await createDevelopmentCertificates({ now });
  await writePrivateFile(trustAnchors, `${made.rootPem.trimEnd()}\n${earlierAnchors ?? ""}`);
  await writePrivateFile(files.privateKey, made.privateKeyPem);
  await writePrivateFile(files.chain, made.certificateChainPem);
  return files;
}

function areUsable(chain: string | null, privateKey: string | null, now: Date): boolean {
  if (chain === null || privateKey === null) return false;
  try {
    const certificate = new X509Certificate(chain);
    return (
      certificate.validToDate.getTime() - now.getTime() > renewBeforeMs &&
      // A crash between the writing of the two leaves a pair that does not belong together.
      certificate.checkPrivateKey(createPrivateKey(privateKey))
    );
  } catch {
    return false;
  }
}
