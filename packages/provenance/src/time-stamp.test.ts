import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarkerPool } from "./marker-pool.ts";
import { createMarker } from "./marker.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createFileSigner } from "./sign-files.ts";
import { issueChain } from "./testing/certificates.ts";
import { claimGenerator, createdAt, formats, request, sources, trained } from "./testing/marker.ts";
import { startTimeStampAuthority } from "./testing/time-stamp-authority.ts";
import { createTimeStamper, TimeStampError } from "./time-stamp.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const certificates = await createDevelopmentCertificates();
const authority = await startTimeStampAuthority();
const trust = { trustAnchorsPem: certificates.rootPem };
const trustBoth = { trustAnchorsPem: certificates.rootPem + authority.issuerPem };
const options = { ...certificates, ...trust, claimGenerator, timeStampUrl: authority.url };
const marker = await createMarker(options);
afterEach(() => authority.behave("stamp"));
afterAll(() => authority.stop());

describe("an authority for time stamps", () => {
  test("is asked as RFC 3161 has it, with the password of its address", async () => {
    const address = authority.url.replace("http://", "http://atelier:s%C3%A9same@");
    await createTimeStamper(address)(Buffer.from("hello"));
    expect(authority.requests.at(-1)).toMatchObject({
      "content-type": "application/timestamp-query",
      accept: "application/timestamp-reply",
      authorization: `Basic ${Buffer.from("atelier:sésame").toString("base64")}`,
    });
    await createTimeStamper(authority.url)(Buffer.from("hello"));
    expect(authority.requests.at(-1)).not.toHaveProperty("authorization");
  });

  test("is not waited for without end, and its password is told to nobody", async () => {
    authority.behave("stay-silent");
    for (const user of [":sesame", "atelier:sesame", "atelier:%zz-sesame"]) {
      const address = authority.url.replace("http://", `http://${user}@`);
      const failure = await createTimeStamper(
        address,
        50,
      )(Buffer.from("hello")).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TimeStampError);
      expect(inspect(failure)).toMatch(/does not answer.*TimeoutError/s);
      expect(inspect(failure)).not.toContain("sesame");
    }
  });
});

describe("a signature", () => {
  const credential = readSigningCredential({ ...certificates, now: new Date() });

  test.each([256, 6_000, 9_984])("has one size with a time stamp of %i bytes", async (size) => {
    const signer = createClaimSigner(credential, async () => new Uint8Array(size));
    expect(await signer.sign(Buffer.from("claim"))).toHaveLength(signer.reserveSize);
  });

  test.each([255, 9_985])("has no room for a time stamp of %i bytes", async (size) => {
    const signer = createClaimSigner(credential, async () => new Uint8Array(size));
    await expect(signer.sign(Buffer.from("claim"))).rejects.toThrow(TimeStampError);
  });
});

describe("a time stamp", () => {
  test("is in each file, and names the time of an authority, known or not", async () => {
    const before = authority.requests.length;
    const startedAt = Date.now();
    const images = await marker.mark(request(sources.png));
    expect(images.map(({ format }) => format)).toEqual(formats);
    expect(authority.requests.slice(before)).toHaveLength(formats.length);
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

  test("proves nothing in a claim of C2PA 1, where the library trusts everybody", async () => {
    const credential = readSigningCredential({ ...certificates, now: new Date() });
    const { Builder } = await loadC2pa();
    const settings = c2paSettings(certificates.rootPem);
    using builder = Builder.fromJson('{"claim_version": 1, "assertions": []}', settings);
    const signer = createClaimSigner(credential, createTimeStamper(authority.url));
    const bytes = await builder.sign(signer, [], "image/png", toBlob(sources.png));
    expect(await verifyProvenance(bytes, trust)).toMatchObject({ timeStamp: { trusted: false } });
  });

  test("keeps a manifest valid after the signing certificate has ended", async () => {
    const whenValid = new Date("2024-06-01");
    const { rootPem, ...ended } = issueChain({
      notBefore: new Date("2024-01-01"),
      notAfter: new Date("2025-01-01"),
    });
    const credential = readSigningCredential({ ...ended, now: whenValid });
    const past = await startTimeStampAuthority({ now: () => whenValid });
    const anchors = rootPem + past.issuerPem;
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
    ["stamp-something-else", "does not hold"],
    ["grant-nothing", "answers with no time stamp"],
    ["refuse", "refuses: PKIStatus 2"],
    ["redirect", "answers with status 302"],
    ["break-down", "answers with status 503"],
    ["break-off", "broke off its answer"],
    ["talk-nonsense", "answers with no time stamp"],
    ["talk-without-end", "answers with more than a time stamp"],
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
    const told = Promise.withResolvers<unknown>();
    const pool = await createMarkerPool({
      ...options,
      timeStampUrl: closed.url,
      threads: 1,
      onError: told.resolve,
    });
    const failure = await pool.mark(request(sources.png)).catch((error: unknown) => error);
    await pool.close();
    for (const error of [failure, await told.promise]) {
      expect(error).toBeInstanceOf(TimeStampError);
      expect(error).toHaveProperty("message", expect.stringMatching(/127\S+ does not answer/));
    }
  });
});
