import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, onTestFinished, test } from "vitest";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarkerPool } from "./marker-pool.ts";
import { createMarker } from "./marker.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createFileSigner } from "./sign-files.ts";
import { issueChain } from "./testing/certificates.ts";
import {
  bindings,
  claimGenerator,
  createdAt,
  formats,
  request,
  sources,
  trained,
} from "./testing/marker.ts";
import { startTimeStampAuthority } from "./testing/time-stamp-authority.ts";
import { createTimeStampers, TimeStampError } from "./time-stamp.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const certificates = await createDevelopmentCertificates();
const authority = await startTimeStampAuthority();
const trust = { trustAnchorsPem: certificates.rootPem };
const trustBoth = { trustAnchorsPem: certificates.rootPem + authority.issuerPem };
const options = { ...certificates, ...trust, claimGenerator, timeStampUrls: [authority.url] };
const marker = await createMarker(options);
afterEach(() => authority.behave("stamp"));
afterAll(() => authority.stop());

describe("a time-stamp authority", () => {
  test("receives a request in the format of RFC 3161, with the credentials of its URL", async () => {
    const address = authority.url.replace("http://", "http://atelier:s%C3%A9same@");
    await createTimeStampers([address])(Buffer.from("hello"));
    expect(authority.requests.at(-1)).toMatchObject({
      "content-type": "application/timestamp-query",
      accept: "application/timestamp-reply",
      authorization: `Basic ${Buffer.from("atelier:sésame").toString("base64")}`,
    });
    await createTimeStampers([authority.url])(Buffer.from("hello"));
    expect(authority.requests.at(-1)).not.toHaveProperty("authorization");
  });

  test("is limited by a timeout, and its password appears in no error", async () => {
    authority.behave("stay-silent");
    for (const user of [":sesame", "atelier:sesame", "atelier:%zz-sesame"]) {
      const address = authority.url.replace("http://", `http://${user}@`);
      const failure = await createTimeStampers(
        [address],
        50,
      )(Buffer.from("hello")).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TimeStampError);
      expect(inspect(failure)).toMatch(/does not respond.*TimeoutError/s);
      expect(inspect(failure)).not.toContain("sesame");
    }
  });
});

describe("several time-stamp authorities", () => {
  test.each([
    "stay-silent",
    "refuse",
    "break-down",
    "talk-nonsense",
    "stamp-something-else",
  ] as const)("stamp in their order when the first fails (%s)", async (behaviour) => {
    const second = await startTimeStampAuthority();
    onTestFinished(() => second.stop());
    const stamp = createTimeStampers([authority.url, second.url], 300);
    authority.behave(behaviour);
    const before = authority.requests.length;
    expect(await stamp(Buffer.from("one"))).toBeInstanceOf(Uint8Array);
    expect(second.requests).toHaveLength(1);
    // The one that failed is not asked again for a while.
    expect(await stamp(Buffer.from("two"))).toBeInstanceOf(Uint8Array);
    expect([authority.requests.length - before, second.requests.length]).toEqual([1, 2]);
    second.behave("refuse");
    authority.behave("stamp");
    expect(await stamp(Buffer.from("three"))).toBeInstanceOf(Uint8Array);
  });

  test("fail with the reason of each", async () => {
    const second = await startTimeStampAuthority();
    onTestFinished(() => second.stop());
    authority.behave("refuse");
    second.behave("break-down");
    const failure = await createTimeStampers([authority.url, second.url])(
      Buffer.from("hello"),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TimeStampError);
    expect(inspect(failure)).toMatch(/refuses: PKIStatus 2.*answers with status 503/s);
  });

  test("stamp images while one of them is unavailable", async () => {
    const closed = await startTimeStampAuthority();
    await closed.stop();
    const urls = [closed.url, authority.url];
    const both = await createMarker({ ...options, timeStampUrls: urls });
    const [png] = await both.mark(request(sources.png));
    expect(await verifyProvenance(png!.bytes, trustBoth)).toMatchObject({
      timeStamp: { trusted: true },
    });
  });
});

describe("a signature", () => {
  const credential = readSigningCredential({ ...certificates, now: new Date() });

  test.each([256, 6_000, 9_984])(
    "has a constant size with a time stamp of %i bytes",
    async (size) => {
      const signer = createClaimSigner(credential, async () => new Uint8Array(size));
      expect(await signer.sign(Buffer.from("claim"))).toHaveLength(signer.reserveSize);
    },
  );

  test.each([255, 9_985])("has no space for a time stamp of %i bytes", async (size) => {
    const signer = createClaimSigner(credential, async () => new Uint8Array(size));
    await expect(signer.sign(Buffer.from("claim"))).rejects.toThrow(TimeStampError);
  });
});

describe("a time stamp", () => {
  test("is in each file and reports its time, from trusted and untrusted authorities", async () => {
    const before = authority.requests.length;
    const startedAt = Date.now();
    const images = await marker.mark(request(sources.png));
    expect(images.map(({ format }) => format)).toEqual([...formats, "thumbnail"]);
    expect(authority.requests.slice(before)).toHaveLength(images.length);
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

  test("is ignored in a claim of C2PA 1, where the library trusts every authority", async () => {
    const credential = readSigningCredential({ ...certificates, now: new Date() });
    const { Builder } = await loadC2pa();
    const settings = c2paSettings(certificates.rootPem);
    using builder = Builder.fromJson('{"claim_version": 1, "assertions": []}', settings);
    const signer = createClaimSigner(credential, createTimeStampers([authority.url]));
    const bytes = await builder.sign(signer, [], "image/png", toBlob(sources.png));
    expect(await verifyProvenance(bytes, trust)).toMatchObject({ timeStamp: { trusted: false } });
  });

  test("keeps a manifest valid after the signing certificate has expired", async () => {
    const whenValid = new Date("2024-06-01");
    const { rootPem, ...ended } = issueChain({
      notBefore: new Date("2024-01-01"),
      notAfter: new Date("2025-01-01"),
    });
    const credential = readSigningCredential({ ...ended, now: whenValid });
    const past = await startTimeStampAuthority({ now: () => whenValid });
    const anchors = rootPem + past.issuerPem;
    const creation = {
      model: trained,
      claimGenerator,
      createdAt,
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
      change: null,
      sourceFormat: "png",
      watermarkId: null,
      ...bindings,
      ...bindings,
    } as const;
    const files = [{ format: "png", bytes: sources.png }] as const;
    const stamped = await createFileSigner(credential, anchors, createTimeStampers([past.url]));
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
    ["stamp-something-else", "with the time stamp of something else"],
    ["grant-nothing", "answers with no time stamp"],
    ["refuse", "refuses: PKIStatus 2"],
    ["redirect", "answers with status 302"],
    ["break-down", "answers with status 503"],
    ["break-off", "broke off its answer"],
    ["talk-nonsense", "answers with no time stamp"],
    ["talk-without-end", "answers with more than a time stamp"],
  ] as const)(
    "that the authority does not return (%s) fails the image",
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

  test("is requested by threads that started while the authority was unavailable", async () => {
    const closed = await startTimeStampAuthority();
    await closed.stop();
    const reportedError = Promise.withResolvers<unknown>();
    const pool = await createMarkerPool({
      ...options,
      timeStampUrls: [closed.url],
      threads: 1,
      onError: reportedError.resolve,
    });
    const failure = await pool.mark(request(sources.png)).catch((error: unknown) => error);
    await pool.close();
    for (const error of [failure, await reportedError.promise]) {
      expect(error).toBeInstanceOf(TimeStampError);
      expect(error).toHaveProperty("message", expect.stringMatching(/127\S+ does not respond/));
    }
  });
});
