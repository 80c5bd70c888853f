import { hash, randomBytes, sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
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
} from "@atelier/kit/der";
import { dayMs, issueChain } from "./certificates.ts";

const oid = {
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  policy: "1.2.3.4.1",
} as const;

/** Behaviour of the authority. */
export type Behaviour =
  | "stamp"
  | "stamp-something-else"
  | "grant-nothing"
  | "refuse"
  | "redirect"
  | "break-down"
  | "break-off"
  | "talk-nonsense"
  | "talk-without-end"
  | "stay-silent";

interface TimeStampAuthority {
  readonly url: string;
  /** The certificate that issued the authority's own, in PEM: an intermediate, not a root. */
  readonly issuerPem: string;
  /** Headers of the requests received so far. */
  readonly requests: readonly IncomingHttpHeaders[];
  behave(as: Behaviour): void;
  stop(): Promise<void>;
}

/**
 * Starts a time-stamp authority (RFC 3161 over HTTP) with a certificate of its own.
 *
 * @param options.now its clock.
 */
export async function startTimeStampAuthority(
  options: { readonly now?: () => Date } = {},
): Promise<TimeStampAuthority> {
  const now = options.now ?? (() => new Date());
  const { intermediatePem, leafPem, privateKeyPem } = issueChain({
    subject: { organization: "Stampers", commonName: "Stamper" },
    notBefore: new Date(Date.now() - 3_650 * dayMs),
    extendedKeyUsage: [oid.timeStamping],
    isUsageCritical: true,
  });
  const certificate = new X509Certificate(leafPem);
  const requests: IncomingHttpHeaders[] = [];
  let behaviour: Behaviour = "stamp";

  const answers: Record<Behaviour, (response: ServerResponse, imprint: Der) => unknown> = {
    stamp: (response, imprint) => response.end(reply(0, stamp(imprint))),
    "stamp-something-else": (response) => {
      const other = sequence(sequence(objectIdentifier(oid.sha256)), octetString(randomBytes(32)));
      response.end(reply(0, stamp(other)));
    },
    "grant-nothing": (response) => response.end(reply(0)),
    refuse: (response) => response.end(reply(2)),
    redirect: (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
    "break-down": (response) => response.writeHead(503).end("closed"),
    "break-off": (response) => {
      response.writeHead(200, { "Content-Length": 1_000 });
      response.write("0", () => response.destroy());
    },
    "talk-nonsense": (response) => response.end("<html>Welcome</html>"),
    "talk-without-end": (response) => response.end(Buffer.alloc(200_000)),
    "stay-silent": () => undefined,
  };

  /** `TimeStampToken`: a `SignedData` (RFC 5652) over the `TSTInfo`. */
  function stamp(imprint: Der): Der {
    const tstInfo = sequence(
      integer(Buffer.from([1])),
      objectIdentifier(oid.policy),
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
      octetString(sign("sha256", set(...attributes), privateKeyPem)),
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
    requests.push(request.headers);
    const [, imprint] = readElement(await buffer(request))?.items() ?? [];
    response.setHeader("Content-Type", "application/timestamp-reply");
    answers[behaviour](response, Buffer.from(imprint?.encoded ?? []));
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    issuerPem: intermediatePem,
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

/** `TimeStampResp`. */
function reply(status: number, ...token: readonly Der[]): Der {
  return sequence(sequence(integer(Buffer.from([status]))), ...token);
}

function attribute(type: string, value: Der): Der {
  return sequence(objectIdentifier(type), set(value));
}

/** Issuer name and serial number as encoded in a certificate: RFC 5280, section 4.1. */
function issuerAndSerialOf(certificate: X509Certificate): [Der, Der] {
  const [toBeSigned] = readElement(certificate.raw)?.items() ?? [];
  const [, serial, , issuer] = toBeSigned?.items() ?? [];
  return [Buffer.from(issuer?.encoded ?? []), Buffer.from(serial?.encoded ?? [])];
}
