import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { addSettingsOfFile } from "./env-file.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-env-"));
const file = join(folder, "settings");
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: string, environment: Record<string, string> = {}) {
  writeFileSync(file, content);
  return addSettingsOfFile({ ...environment, ATELIER_ENV_FILE: file });
}

describe("the file with settings", () => {
  it("adds settings that the environment lacks, and names them without their values", () => {
    const { environment, remark } = read("OPENAI_API_KEY=sk-secret\nPORT=4000\n", { PORT: "5000" });
    expect(environment).toMatchObject({ OPENAI_API_KEY: "sk-secret", PORT: "5000" });
    expect(remark).toBe(`Settings of ${file}: OPENAI_API_KEY.`);
  });

  it("treats NAME and NAME_FILE as the same setting", () => {
    const ofFile = read("KEY_PEPPER=a\nSTORAGE_URL_FILE=/b\n", {
      KEY_PEPPER_FILE: "/own",
      STORAGE_URL: "file:/own",
    });
    expect(ofFile.taken).toEqual([]);
    expect(read("KEY_PEPPER_FILE=/a\n").environment["KEY_PEPPER_FILE"]).toBe("/a");
  });

  it("takes no name that .env.example does not list, and warns about it", () => {
    const { environment, remark } = read(
      "NODE_OPTIONS=--require=/evil.js\nATELIER_API_KEY=k\nRETENTION_HOUR=1\nPORT=1\n",
    );
    expect(environment).toEqual({ ATELIER_ENV_FILE: file, PORT: "1" });
    expect(remark).toContain("does not list them: ATELIER_API_KEY, NODE_OPTIONS, RETENTION_HOUR.");
  });

  it("prints no line of a key in PEM that lacks quotes", () => {
    const lines = [
      "-----BEGIN PRIVATE KEY-----",
      "MIGHAgEAMBMG/+x=",
      "c2VjcmV0IGtleQ==",
      "QUJD9Q==",
    ];
    const { remark } = read(`SIGNING_PRIVATE_KEY=${lines.join("\n")}\nOTHER=1\n`);
    expect(remark).toBe(
      `Settings of ${file}: SIGNING_PRIVATE_KEY. Ignored, because .env.example does not list them: OTHER. ` +
        "Lines ignored, because they name no setting: 2. Put values of several lines in quotes.",
    );
  });

  it("counts empty values as unset", () => {
    expect(read("JOB_RETENTION_DAYS=\n")).toMatchObject({ taken: [], remark: null });
    expect(read("PORT=1\n", { PORT: "" }).environment["PORT"]).toBe("1");
  });

  it("refuses a named file that does not exist", () => {
    expect(() => addSettingsOfFile({ ATELIER_ENV_FILE: join(folder, "missing") })).toThrow(
      "ATELIER_ENV_FILE must name a readable file.",
    );
  });
});

/** Sources of tests and harnesses. */
function listSources(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  return ["apps", "packages", "harness", "deploy"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((path) => !path.includes("node_modules") && /^(?!.*dist).*\.ts$/.test(path))
      .filter((path) => top === "harness" || path.endsWith(".test.ts"))
      .map((path) => join(root, top, path)),
  );
}

it("is never read by programs that tests and harnesses start", () => {
  const careless = listSources().filter((path) => {
    const source = readFileSync(path, "utf8");
    const starts = /\b(spawn|execFile\)?)\(/.test(source) && /["/](src\/)?main\.ts\b/.test(source);
    // Processes of `forkProgram` and `startProgram` read no file either.
    return starts && !source.includes('ATELIER_ENV_FILE: "/dev/null"');
  });
  expect(careless.map((path) => path.split("/").at(-1))).toEqual(["exit-on-signals.test.ts"]);
});
