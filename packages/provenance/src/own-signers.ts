import { X509Certificate } from "node:crypto";
import { readCertificates } from "./certificates.ts";

/** A certificate that this installation signs or signed with. */
export interface OwnSigner {
  /** The serial number, which its authority gives to no other certificate. */
  readonly serialNumber: string;
  /** The authority that issued it, in PEM. */
  readonly authorityPem: string;
}

/**
 * Reads the certificates of this installation. An authority and a serial number identify a
 * certificate (RFC 5280, section 4.1.2.2); other signers of the same authority are not in the list.
 *
 * @param certificatesPem signing certificates, also expired ones, with or without their chains.
 * @param authoritiesPem where to look for their authorities as well: the trust anchors. A
 *   certificate without its authority is left out, because no signature could be attributed to it.
 * @throws Error when a certificate cannot be read.
 */
export function readOwnSigners(certificatesPem: string, authoritiesPem: string): OwnSigner[] {
  const certificates = readCertificates(certificatesPem);
  const authorities = [...certificates, ...readCertificates(authoritiesPem)].filter(({ ca }) => ca);
  return certificates
    .filter(({ ca }) => !ca)
    .flatMap((certificate) => {
      const authority = authorities.find((one) => isIssuedBy(certificate, one));
      if (authority === undefined) return [];
      return [
        {
          serialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
          authorityPem: authority.toString(),
        },
      ];
    });
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
