import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

const execute = promisify(execFile);

// npm installs packages.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stack: Stack;
/** An empty project in which the packages are installed. */
let project: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  const { key } = await stack.createAccount("1");
  project = await mkdtemp(join(tmpdir(), "atelier-packages-"));
  await writeFile(join(project, "package.json"), `{"private": true, "type": "module"}`);
  const packages = ["client", "cli"].map((name) => `${stack.url}/packages/atelier-${name}.tgz`);
  await execute("npm", ["install", "--no-fund", "--no-audit", ...packages], { cwd: project });
  environment = {
    PATH: process.env["PATH"],
    ATELIER_URL: stack.url,
    ATELIER_API_KEY: key,
    ATELIER_HOME: project,
  };
});

afterAll(async () => {
  await stack.stop();
  await rm(project, { recursive: true, force: true });
});

const atelier = (...args: string[]) =>
  execute("npx", ["atelier", ...args], { cwd: project, env: environment });

describe("an empty project with the packages that the service serves", () => {
  it("makes and verifies an image by the command line", async () => {
    await atelier("generate", "A red fox in the snow", "-o", "fox.png");
    expect((await stat(join(project, "fox.png"))).size).toBeGreaterThan(10_000);

    const { stdout } = await atelier("verify", "fox.png", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "made_here" });
  });

  it("names its own commands in advice", async () => {
    const { stderr } = (await atelier("generate", "A fox", "-m", "none").catch(
      (error: unknown) => error,
    )) as { stderr: string };
    expect(stderr).toContain("List the models: atelier models");
  });

  it("makes an image by the client", async () => {
    await writeFile(
      join(project, "make.js"),
      `import { createAtelier } from "@atelier/client";
      const atelier = createAtelier({
        baseUrl: process.env.ATELIER_URL,
        apiKey: process.env.ATELIER_API_KEY,
      });
      const image = await atelier.generateImage({ model: "builtin-illustrator", prompt: "A kite" });
      console.log((await atelier.images.download(image.formats.webp)).length);`,
    );
    const options = { cwd: project, env: environment };
    const { stdout } = await execute(process.execPath, ["make.js"], options);
    expect(Number(stdout)).toBeGreaterThan(10_000);
  });
});
