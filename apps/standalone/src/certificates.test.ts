import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrMakeCertificates, type CertificateFiles } from "./certificates.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-certificates-"));
});

afterEach(() => rm(home, { recursive: true }));

const dayMs = 86_400_000;
const now = new Date("2026-11-20T12:00:00Z");
const after = (days: number) => new Date(now.getTime() + days * dayMs);

async function chainOf(files: CertificateFiles): Promise<X509Certificate> {
  return new X509Certificate(await readFile(files.chain));
}

describe("readOrMakeCertificates", () => {
  it("keeps its certificates until 30 days before they expire", async () => {
    const created = await chainOf(await readOrMakeCertificates(home, now));
    const kept = await chainOf(await readOrMakeCertificates(home, after(334)));
    expect(kept.fingerprint256).toBe(created.fingerprint256);
    const renewed = await chainOf(await readOrMakeCertificates(home, after(336)));
    expect(renewed.fingerprint256).not.toBe(created.fingerprint256);
  });

  it("trusts the old root after a renewal", async () => {
    const files = await readOrMakeCertificates(home, now);
    const old = await readFile(files.trustAnchors, "utf8");
    await readOrMakeCertificates(home, after(400));
    const anchors = await readFile(files.trustAnchors, "utf8");
    expect(anchors.endsWith(old)).toBe(true);
    expect(anchors.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it("keeps the old signing certificates after each renewal", async () => {
    const files = await readOrMakeCertificates(home, now);
    expect(await readFile(files.oldSigningCertificates, "utf8")).toBe("");
    const first = await readFile(files.chain, "utf8");
    await readOrMakeCertificates(home, after(400));
    const second = await readFile(files.chain, "utf8");
    await readOrMakeCertificates(home, after(800));
    expect(await readFile(files.oldSigningCertificates, "utf8")).toBe(second + first);
  });

  it("replaces a certificate that does not belong to the key", async () => {
    const files = await readOrMakeCertificates(home, now);
    const other = await createDevelopmentCertificates({ now });
    await writeFile(files.chain, other.certificateChainPem);
    await readOrMakeCertificates(home, now);
    expect(await readFile(files.chain, "utf8")).not.toBe(other.certificateChainPem);
  });

  it("makes the signing key readable only by the owner", async () => {
    const { privateKey } = await readOrMakeCertificates(home, now);
    expect((await stat(privateKey)).mode & 0o777).toBe(0o600);
  });
});
