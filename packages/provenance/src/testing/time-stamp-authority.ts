import { generateKeyPairSync, hash, randomBytes, sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  explicit,
  generalizedTime,
  integer,
  objectIdentifier,
  octetString,
  readElement,
  sequence,
  set,
  type Der,
} from "../der.ts";
import { issueCertificate } from "../x509.ts";

const oid = {
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  anyPolicy: "1.2.3.4.1",
} as const;

const dayMs = 86_400_000;

/** What the authority says to a request. */
export type Behaviour =
  | "stamp"
  | "refuse"
  | "break-down"
  | "stamp-something-else"
  | "talk-nonsense";

export interface TimeStampAuthority {
  readonly url: string;
  /** The root that vouches for it, in PEM. */
  readonly rootPem: string;
  /** The media types of the requests so far. */
  readonly requests: readonly (string | undefined)[];
  behave(as: Behaviour): void;
  stop(): Promise<void>;
}

/**
 * A time-stamp authority of RFC 3161 over HTTP, with a certificate of its own.
 *
 * @param options.now its clock.
 */
export async function startTimeStampAuthority(
  options: { readonly now?: () => Date } = {},
): Promise<TimeStampAuthority> {
  const now = options.now ?? (() => new Date());
  const { rootPem, certificate, privateKey } = issueAuthority();
  const requests: (string | undefined)[] = [];
  let behaviour: Behaviour = "stamp";

  const answers: Record<Behaviour, (imprint: Der) => { status: number; body: Uint8Array }> = {
    stamp: (imprint) => ({ status: 200, body: granted(stamp(imprint)) }),
    refuse: () => ({ status: 200, body: sequence(sequence(integer(Buffer.from([2])))) }),
    "break-down": () => ({ status: 503, body: Buffer.from("closed") }),
    "stamp-something-else": () => {
      const other = sequence(sequence(objectIdentifier(oid.sha256)), octetString(randomBytes(32)));
      return { status: 200, body: granted(stamp(other)) };
    },
    "talk-nonsense": () => ({ status: 200, body: Buffer.from("<html>Welcome</html>") }),
  };

  /** `TimeStampToken`: a `SignedData` (RFC 5652) over the `TSTInfo`. */
  function stamp(imprint: Der): Der {
    const tstInfo = sequence(
      integer(Buffer.from([1])),
      objectIdentifier(oid.anyPolicy),
      imprint,
      integer(randomBytes(8)),
      generalizedTime(now()),
    );
    const attributes = [
      attribute(oid.contentType, objectIdentifier(oid.tstInfo)),
      attribute(oid.messageDigest, octetString(hash("sha256", tstInfo, "buffer"))),
      attribute(
        oid.signingCertificateV2,
        sequence(sequence(sequence(octetString(hash("sha256", certificate.raw, "buffer"))))),
      ),
    ].toSorted((one, other) => one.compare(other));
    const issuerAndSerial = sequence(...issuerAndSerialOf(certificate));
    const signerInfo = sequence(
      integer(Buffer.from([1])),
      issuerAndSerial,
      sequence(objectIdentifier(oid.sha256)),
      explicit(0, ...attributes),
      sequence(objectIdentifier(oid.ecdsaWithSha256)),
      octetString(sign("sha256", set(...attributes), privateKey)),
    );
    const signedData = sequence(
      integer(Buffer.from([3])),
      set(sequence(objectIdentifier(oid.sha256))),
      sequence(objectIdentifier(oid.tstInfo), explicit(0, octetString(tstInfo))),
      explicit(0, certificate.raw),
      set(signerInfo),
    );
    return sequence(objectIdentifier(oid.signedData), explicit(0, signedData));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(request.headers["content-type"]);
    const [, imprint] = readElement(await buffer(request))?.items() ?? [];
    const { status, body } = answers[behaviour](Buffer.from(imprint?.whole ?? []));
    response.writeHead(status, { "Content-Type": "application/timestamp-reply" }).end(body);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    rootPem,
    requests,
    behave(as) {
      behaviour = as;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function issueAuthority() {
  const [root, own] = [newKeys(), newKeys()];
  const name = { organization: "Stampers", commonName: "Stampers root" };
  const byRoot = {
    issuer: name,
    issuerPublicKey: root.publicKey,
    signingKey: root.privateKey,
    notBefore: new Date(Date.now() - 3_650 * dayMs),
    notAfter: new Date(Date.now() + 3_650 * dayMs),
  };
  const rootPem = issueCertificate({
    ...byRoot,
    subject: name,
    publicKey: root.publicKey,
    isAuthority: true,
    extendedKeyUsage: [],
  });
  const ownPem = issueCertificate({
    ...byRoot,
    subject: { organization: "Stampers", commonName: "Stamper" },
    publicKey: own.publicKey,
    isAuthority: false,
    extendedKeyUsage: [oid.timeStamping],
    isUsageCritical: true,
  });
  return { rootPem, certificate: new X509Certificate(ownPem), privateKey: own.privateKey };
}

function newKeys(): ReturnType<typeof generateKeyPairSync> {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** `TimeStampResp` with the status `granted`. */
function granted(token: Der): Der {
  return sequence(sequence(integer(Buffer.from([0]))), token);
}

function attribute(type: string, value: Der): Der {
  return sequence(objectIdentifier(type), set(value));
}

/** Name of the issuer and serial number, as they stand in a certificate: RFC 5280, section 4.1. */
function issuerAndSerialOf(certificate: X509Certificate): [Der, Der] {
  const [toBeSigned] = readElement(certificate.raw)?.items() ?? [];
  const [, serial, , issuer] = toBeSigned?.items() ?? [];
  return [Buffer.from(issuer?.whole ?? []), Buffer.from(serial?.whole ?? [])];
}
