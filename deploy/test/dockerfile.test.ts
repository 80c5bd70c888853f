import { expect, it } from "vitest";
import { readText } from "./deployment-files.ts";

it("copies the sources of each package that the pages of Studio depend on", async () => {
  const manifest = JSON.parse(await readText("apps/studio/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith("@atelier/"));
  const dockerfile = await readText("Dockerfile");
  const stage = /^FROM packages AS studio\n(.*?)^FROM /ms.exec(dockerfile)?.[1] ?? "";
  const copied = [...stage.matchAll(/^COPY packages\/([a-z-]+)\/src/gm)].map(([, name]) => name);
  expect(copied.map((name) => `@atelier/${name}`).toSorted()).toEqual(own.toSorted());
});
