import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

it("keeps compiled code in the checkout, not in a folder that other users can create", async () => {
  const module = new URL("keep-compiled-code.ts", import.meta.url).href;
  const script = `
    import { getCompileCacheDir } from "node:module";
    import { keepCompiledCode } from ${JSON.stringify(module)};
    keepCompiledCode();
    console.log(getCompileCacheDir());`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script],
    { env: { ATELIER_ENV_FILE: "/dev/null" } },
  );
  expect(stdout).toContain(join(root, "node_modules/.cache/node-compile"));
});

it("is used by all programs", () => {
  const mains = readdirSync(join(root, "apps"), { encoding: "utf8" }).flatMap((app) => {
    try {
      return readFileSync(join(root, "apps", app, "src/main.ts"), "utf8");
    } catch {
      return [];
    }
  });
  expect(mains.length).toBeGreaterThan(4);
  expect(mains.filter((source) => source.includes("enableCompileCache"))).toEqual([]);
});
