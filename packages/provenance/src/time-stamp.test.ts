import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarkerPool } from "./marker-pool.ts";
import { createMarker } from "./marker.ts";
import { createFileSigner } from "./sign-files.ts";
import { claimGenerator, createdAt, formats, request, sources, trained } from "./test-marker.ts";
import { startTimeStampAuthority } from "./testing/time-stamp-authority.ts";
import { createTimeStamper, TimeStampError } from "./time-stamp.ts";
import { verifyProvenance } from "./verify-provenance.ts";
import { issueCertificate } from "./x509.ts";

const certificates = await createDevelopmentCertificates();
const authority = await startTimeStampAuthority();
const trust = { trustAnchorsPem: certificates.rootPem };
const trustBoth = { trustAnchorsPem: certificates.rootPem + authority.rootPem };
const options = { ...certificates, ...trust, claimGenerator, timeStampUrl: authority.url };
const marker = await createMarker(options);
afterEach(() => authority.behave("stamp"));
afterAll(() => authority.stop());

describe("a time stamp", () => {
  test("is in each file, and names the time of an authority, known or not", async () => {
    const before = authority.requests.length;
    const startedAt = Date.now();
    const images = await marker.mark(request(sources.png));
    expect(images.map(({ format }) => format)).toEqual(formats);
    expect(authority.requests.slice(before)).toEqual(
      formats.map(() => "application/timestamp-query"),
    );
    for (const { bytes } of images) {
      const report = await verifyProvenance(bytes, trustBoth);
      expect(report).toMatchObject({
        state: "trusted",
        problems: [],
        timeStamp: { trusted: true },
      });
      expect(Date.parse(report.timeStamp!.at)).toBeGreaterThan(startedAt - 1_001);
      expect(await verifyProvenance(bytes, trust)).toMatchObject({
        state: "trusted",
        timeStamp: { at: report.timeStamp!.at, trusted: false },
      });
    }
  });

  test("keeps a manifest valid after the signing certificate has ended", async () => {
    const { credential, rootPem, whenValid } = expiredCredential();
    const past = await startTimeStampAuthority({ now: () => whenValid });
    const anchors = rootPem + past.rootPem;
    const creation = { model: trained, claimGenerator, createdAt, sourceFormat: "png" } as const;
    const files = [{ format: "png", bytes: sources.png }] as const;
    const stamped = await createFileSigner(credential, anchors, createTimeStamper(past.url));
    const [png] = await stamped(creation, [], files);
    expect(await verifyProvenance(png!.bytes, { trustAnchorsPem: anchors })).toMatchObject({
      state: "trusted",
      timeStamp: { trusted: true },
    });
    await past.stop();

    const unstamped = await createFileSigner(credential, anchors, null);
    await expect(unstamped(creation, [], files)).rejects.toThrow("signingCredential.expired");
  });

  test.each([
    ["refuse", "refuses: PKIStatus 2"],
    ["break-down", "answers with status 503"],
    ["talk-nonsense", "answers with no time stamp"],
    ["stamp-something-else", "does not hold"],
  ] as const)(
    "that an authority does not give (%s) leaves no image",
    async (behaviour, message) => {
      authority.behave(behaviour);
      const before = authority.requests.length;
      const ingredients = [{ bytes: sources.jpeg, title: "style reference" }];
      const marking = marker.mark(request(sources.png, { ingredients }));
      const failure = await marking.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TimeStampError);
      expect(authority.requests).toHaveLength(before + 1);
      expect(failure).toHaveProperty("message", expect.stringContaining(message));
    },
  );

  test("is asked for by threads, which start while the authority is away", async () => {
    const closed = await startTimeStampAuthority();
    await closed.stop();
    const onError = (error: unknown) => {
      throw error;
    };
    const pool = await createMarkerPool({
      ...options,
      timeStampUrl: closed.url,
      threads: 1,
      onError,
    });
    const failure = await pool.mark(request(sources.png)).catch((error: unknown) => error);
    await pool.close();
    expect(failure).toBeInstanceOf(TimeStampError);
    expect(failure).toHaveProperty(
      "message",
      expect.stringMatching(/127\.0\.0\.1:\d+ does not answer/),
    );
  });
});

/** A certificate that ended a year ago, which no worker would start with. */
function expiredCredential() {
  const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [root, leaf] = [newKeys(), newKeys()];
  const rootName = { organization: "Root", commonName: "Root" };
  const dates = { notBefore: new Date("2024-01-01"), notAfter: new Date("2025-01-01") };
  const byRoot = { issuer: rootName, issuerPublicKey: root.publicKey, signingKey: root.privateKey };
  const rootPem = issueCertificate({
    ...byRoot,
    subject: rootName,
    publicKey: root.publicKey,
    notBefore: dates.notBefore,
    notAfter: new Date(Date.now() + 86_400_000),
    isAuthority: true,
    extendedKeyUsage: [],
  });
  const leafPem = issueCertificate({
    ...byRoot,
    ...dates,
    subject: { country: "DE", organization: "Operator", commonName: "Signer" },
    publicKey: leaf.publicKey,
    isAuthority: false,
    extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"],
  });
  const credential = {
    chain: [new X509Certificate(leafPem).raw],
    privateKey: createPrivateKey(leaf.privateKey.export({ type: "pkcs8", format: "pem" })),
    expiresAt: dates.notAfter,
  };
  return { credential, rootPem, whenValid: new Date("2024-06-01") };
}
