import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readObjects } from "./deployment-files.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The class of a kind: its constructor takes an object, and `validate` throws. */
type Model = new (data: object) => { validate(): void };

const objects = (await readObjects<KubernetesObject>("deploy/kubernetes"))
  // Read by kustomize; the cluster does not know it.
  .filter(({ kind }) => kind !== "Kustomization");

const moduleOf = (apiVersion: string) =>
  apiVersion.startsWith("keda.sh/")
    ? `@kubernetes-models/keda/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

/** Returns the TypeScript compiler's errors for objects as literals of their types. */
async function compile(literals: readonly KubernetesObject[]): Promise<string> {
  const folder = join(root, "node_modules/.cache", `kubernetes-${crypto.randomUUID()}`);
  const options = { noEmit: true, strict: true, skipLibCheck: true, module: "nodenext" };
  const lines = literals.map(
    (object) =>
      `(${JSON.stringify(object)}) satisfies ` +
      `import("${moduleOf(object.apiVersion)}").I${object.kind};`,
  );
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, "objects.ts"), `${lines.join("\n")}\nexport {};\n`);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, target: "esnext" }, files: ["objects.ts"] }),
    );
    await execute(join(root, "node_modules/.bin/tsc"), ["--project", folder]);
    return "";
  } catch (error) {
    return (error as { stdout?: string }).stdout || String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("every Kubernetes object matches the schema of its kind", () => {
  it.each(objects)("$kind $metadata.name has valid values", async (object) => {
    const models = (await import(moduleOf(object.apiVersion))) as Record<string, Model>;
    const Kind = models[object.kind];
    if (Kind === undefined) throw new Error(`${object.apiVersion} has no ${object.kind}`);
    expect(() => new Kind(object).validate()).not.toThrow();
  });

  it("has no unknown fields", async () => {
    expect(await compile(objects)).toBe("");
  });

  it("reports an invalid value", async () => {
    const { Deployment } = (await import(moduleOf("apps/v1"))) as Record<string, Model>;
    const [valid] = objects.filter(({ kind }) => kind === "Deployment");
    const changed = { ...valid, spec: { ...(valid as { spec?: object }).spec, replicas: "2" } };
    expect(() => new Deployment!(changed).validate()).toThrow("replicas must be integer");
  });

  it("reports an unknown field", async () => {
    const [deployment] = objects.filter(({ kind }) => kind === "Deployment");
    const changed = { ...deployment!, spec: { replicaz: 2 } };
    expect(await compile([changed])).toMatch(/replicaz.* does not exist in type 'IDeploymentSpec'/);
  });
});
