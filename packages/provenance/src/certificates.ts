import { X509Certificate } from "node:crypto";

/**
 * Reads all certificates in a PEM text, in their order.
 *
 * @throws Error that names the position of the certificate that cannot be read.
 */
export function readCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw new Error(`certificate ${index + 1} of the PEM text cannot be read`, { cause });
    }
  });
}
