import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createKey } from "@atelier/accounts";
import { createAtelier } from "@atelier/client";
import { createDevelopmentCertificates } from "@atelier/provenance";
import { createMarker } from "@atelier/provenance/images";
import { startTimeStampAuthority } from "@atelier/provenance/testing";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { run } from "../run.ts";
import { findFreeFolder } from "./story-folder.ts";

// Stories are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stack: Stack;
let account: TestAccount;
let root: string;
/** Created for each test. */
let directory: string;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  account = await stack.createAccount("20");
  root = await mkdtemp(join(tmpdir(), "atelier-calls-"));
});

afterAll(async () => {
  await stack.stop();
  await rm(root, { recursive: true, force: true });
});

beforeEach(async () => {
  directory = await mkdtemp(join(root, "test-"));
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Sends Ctrl-C at the first progress report. */
  readonly interrupt?: boolean;
}

/** Runs one command line. */
async function runWith(
  { environment, isTTY = false, interrupt = false }: RunOptions,
  ...args: string[]
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const interruption = new AbortController();
  const output = (name: "stdout" | "stderr") => ({
    isTTY,
    write(text: string) {
      written[name] += text;
      if (interrupt && name === "stderr") interruption.abort();
    },
  });
  const code = await run(args, {
    environment: {
      ATELIER_URL: stack.url,
      ATELIER_API_KEY: account.key,
      ATELIER_HOME: directory,
      ...environment,
    },
    stdout: output("stdout"),
    stderr: output("stderr"),
    onInterruption: () => interruption.signal,
  });
  return { code, ...written };
}

const command = (...args: string[]) => runWith({}, ...args);

/** Returns the JSON of a command that must succeed. */
async function commandJson<Shape>(...args: string[]): Promise<Shape> {
  const { code, stdout, stderr } = await command(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Shape;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const model = "builtin-illustrator";
const miraYaml = `
model: ${model}
characters:
  - name: Mira
    description: a girl with red hair and a green coat
scenes:
  - prompt: Mira by the sea
    characters: [{ name: Mira }]
  - prompt: Mira in the forest
    characters: [{ name: Mira }]
`;

async function writeStory(): Promise<string> {
  const file = join(directory, "mira.yaml");
  await writeFile(file, miraYaml);
  return file;
}

describe("operations", () => {
  const pictureFile = async (name: string, background: string) => {
    const file = join(directory, name);
    await sharp({ create: { width: 96, height: 64, channels: 3, background } }).toFile(file);
    return file;
  };

  it("edit and combine files of yours", async () => {
    const [bay, boat] = [
      await pictureFile("bay.png", "#c03020"),
      await pictureFile("boat.png", "#247"),
    ];
    const mask = await pictureFile("mask.png", "#fff");
    const to = join(directory, "edited.png");
    await commandJson("edit", bay, "a blue lake", "--mask", mask, "-o", to);
    expect(await sharp(to).metadata()).toMatchObject({ width: 96, height: 64 });
    expect(await command("edit", bay, "a blue lake", "--markup", mask)).toMatchObject({
      stderr: expect.stringContaining("does not support markup") as string,
    });
    const parts = ["-i", `${boat} a boat`, "-i", `${bay} a bay`];
    const folder = join(directory, "both");
    const combined = await command(
      "combine",
      "a boat in the bay",
      ...parts,
      "-n",
      "2",
      "-o",
      folder,
    );
    const { code, stdout } = combined;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  });

  it("make a scene of a request in a file", async () => {
    const file = join(directory, "scene.yaml");
    await writeFile(file, "model: other\nprompt: a kite in a pine tree\n");
    const to = join(directory, "kite.webp");
    const output = await commandJson<{ id: string; model: string }>(
      "scene",
      file,
      "-m",
      model,
      "-o",
      to,
    );
    expect(output.model).toBe(model);
    expect(await sharp(to).metadata()).toMatchObject({ format: "webp" });
    const job = await commandJson<{ operation: string }>("jobs", "show", output.id);
    expect(job.operation).toBe("scene");
  });

  it("draw graphics and diagrams as SVG", async () => {
    const icon = join(directory, "rocket.svg");
    expect((await command("graphic", "a rocket", "--palette", "#1f3a5f", "-o", icon)).code).toBe(0);
    const chart = join(directory, "orders.mmd");
    await writeFile(chart, "flowchart LR\n  A[Order] --> B[Ship]");
    const drawn = join(directory, "orders.svg");
    expect((await command("diagram", "--file", chart, "-o", drawn)).code).toBe(0);
    for (const file of [icon, drawn]) expect(await readFile(file, "utf8")).toMatch(/^<svg /);
    const both = await command("diagram", "a → b", "--file", chart);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("either") as string });
    const photo = await command("edit", icon, "x", "-f", "svg");
    expect(photo.code).not.toBe(0);
  });
});

describe("generate", () => {
  it("prints only the path in a pipe", async () => {
    const { code, stdout, stderr } = await command("generate", "A red fox", "-o", directory);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const file = stdout.trimEnd();
    expect(file).toMatch(/\/atelier-[0-9a-f-]{36}\.png$/);
    expect(await sharp(await readFile(file)).metadata()).toMatchObject({ format: "png" });
  });

  it("saves the format of the file extension with the hash of the response", async () => {
    const file = join(directory, "new/fox.webp");
    const args = ["generate", "A red fox", "-m", model, "-a", "16:9", "-o", file];
    const output = await commandJson<{ files: { sha256: string }[]; model: string }>(...args);
    const bytes = await readFile(file);
    expect(output).toMatchObject({ model, ai_generated: true, files: [{ file, format: "webp" }] });
    expect(sha256(bytes)).toBe(output.files[0]?.sha256);
    expect(await readdir(join(directory, "new"))).toEqual(["fox.webp"]);
    const { width, height } = await sharp(bytes).metadata();
    expect(width / height).toBeCloseTo(16 / 9, 1);
  });

  it("shows progress, cost and colours on a terminal, unless NO_COLOR is set", async () => {
    const args = ["generate", "A red fox", "-o", directory];
    const inColor = await runWith({ isTTY: true }, ...args);
    expect(inColor.stderr).toContain("\u001b[36m");
    expect(inColor.stderr).toMatch(/0\.\d+ EUR charged, \d+\.\d+ EUR left\.\n$/);
    const plain = await runWith({ isTTY: true, environment: { NO_COLOR: "1" } }, ...args);
    expect(plain.stderr).not.toContain("\u001b[36m");
    expect(plain.stderr).toContain("EUR charged");
  });

  it("generates and charges one image per idempotency key", async () => {
    const args = ["generate", "A red fox", "-o", directory, "--idempotency-key", "order-7"];
    const first = await commandJson<{ id: string }>(...args);
    expect(await commandJson(...args)).toMatchObject({ id: first.id });
  });

  it("uses a model that the key may use, and names the operation if it has none", async () => {
    const { key } = await createKey(stack.database, {
      accountId: account.accountId,
      name: "limited",
      pepper: stack.environment["KEY_PEPPER"] ?? "",
      models: ["builtin-pattern"],
    });
    const environment = { ATELIER_API_KEY: key };
    const args = ["generate", "A red fox", "-o", directory, "--json"];
    const { code, stdout } = await runWith({ environment }, ...args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ model: "builtin-pattern" });
    const refused = await runWith({ environment }, "diagram", "a -> b", "-o", directory);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("No model that this key may use is available for diagram.");
  });

  it("uses a degraded model if no model is available", async () => {
    await stack.database.query(
      `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
       SELECT lane, 5, gen_random_uuid(), now() + interval '10 minutes', 'status 503'
         FROM unnest($1::text[]) AS lane`,
      [["builtin", "builtin-diagrams", "builtin-test", "fake-blind", "fake-resumable"]],
    );
    const untilAll = (wanted: string) =>
      vi.waitUntil(
        async () => {
          const { models } = await commandJson<{ models: { status: string }[] }>("models");
          return models.every(({ status }) => status === wanted);
        },
        { timeout: 20_000 },
      );
    await untilAll("degraded");
    expect(await command("generate", "A red fox", "-o", directory)).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(`The provider of ${model} is unavailable`),
    });
    await stack.database.query("DELETE FROM lane_health");
    await untilAll("available");
  });

  it.each([
    ["the extension of another format", ["-f", "png", "-o", "fox.webp"], "--format is png"],
    ["an unknown extension", ["-o", "fox.gif"], "use .png, .jpg or .webp"],
    ["the name of a folder", ["-o", "FOLDER"], "End it with a slash to save the image in it."],
  ])("generates nothing for a file with %s", async (_, flags, says) => {
    const before = await commandJson("balance");
    const folder = join(directory, "fox.png");
    await mkdir(folder);
    const outcome = await command(
      "generate",
      "A fox",
      ...flags.map((flag) => flag.replace("FOLDER", folder)),
    );
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(await commandJson("balance")).toEqual(before);
  });

  it("generates nothing if the folder cannot be created", async () => {
    const before = await commandJson("balance");
    const blocked = join(directory, "file");
    await writeFile(blocked, "");
    const commands = [
      ["generate", "A fox", "-o", join(blocked, "fox.png")],
      ["story", await writeStory(), "-o", join(blocked, "scenes")],
      ["story-demo", "-o", blocked],
    ];
    for (const args of commands) {
      expect(await command(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Cannot write to"),
      });
    }
    expect(await commandJson("balance")).toEqual(before);
  });

  it("names the charged job and how to download its image when the image cannot be saved", async () => {
    const directoryPath = join(directory, "fox.png");
    // The temporary path of the file.
    await mkdir(`${directoryPath}.part`);
    const { code, stderr } = await command("generate", "A fox", "-m", model, "-o", directoryPath);
    expect(code).toBe(1);
    const [, jobId = ""] = /charged\. .*jobs wait (\S+) -o <folder>\n$/.exec(stderr) ?? [];
    const { stdout } = await command("jobs", "wait", jobId, "-o", directory);
    expect(stdout).toBe(`${join(directory, `atelier-${jobId}.png`)}\n`);
  });

  it("saves in folders, including folders with a dot in their names", async () => {
    const existingFolder = join(directory, "of.2026");
    await mkdir(existingFolder);
    for (const folder of [existingFolder, `${directory}/of.2027/`, join(directory, "new")]) {
      const { stdout } = await command("generate", "A fox", "-m", model, "-o", folder);
      expect(dirname(stdout)).toBe(folder.replace(/\/$/, ""));
    }
  });
});

describe("story", () => {
  it("reports the progress by scene and saves each scene", async () => {
    const out = join(directory, "out");
    const { code, stdout, stderr } = await command("story", await writeStory(), "-o", out);
    expect(code).toBe(0);
    expect(stdout).toBe(`${join(out, "scene-1.png")}\n${join(out, "scene-2.png")}\n`);
    expect(stderr).toMatch(/^(\d of 2 scenes(, portraits and places first)?\n)+$/);
    expect(stderr).toMatch(/2 of 2 scenes\n$/);
    expect(await readdir(out)).toEqual(["scene-1.png", "scene-2.png"]);
  });

  it("never mixes the files of two stories in a folder", async () => {
    const file = await writeStory();
    const out = join(directory, "out");
    const generateStory = async (folder: string) => {
      const { stdout } = await command("story", file, "-o", folder, "--json");
      return JSON.parse(stdout) as { id: string };
    };
    const { id } = await generateStory(out);
    const before = await commandJson("balance");

    expect(await command("story", file, "-o", out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "scene-1.png is a scene of another story. Choose a new folder",
      ),
    });
    expect(await commandJson("balance")).toEqual(before);
    // The same story may be saved there again, also in another format.
    expect(await command("jobs", "wait", id, "-o", out, "-f", "webp")).toMatchObject({ code: 0 });

    const other = await generateStory(join(directory, "other"));
    expect(await command("jobs", "wait", other.id, "-o", out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is a scene of another story"),
    });
    expect(await findFreeFolder(out)).toBe(`${out}-2`);
  });

  it("reads a JSON file with a byte order mark", async () => {
    const file = join(directory, "mira.json");
    await writeFile(file, `\uFEFF${JSON.stringify(parseYaml(miraYaml))}`);
    expect(await command("story", file, "-o", join(directory, "out"))).toMatchObject({ code: 0 });
  });

  it("draws a bar on a terminal", async () => {
    const args = ["story", await writeStory(), "-o", directory, "-f", "webp"];
    const { stderr } = await runWith({ isTTY: true }, ...args);
    expect(stderr).toContain("████████████████████████");
    expect(stderr).toMatch(/", 2 scenes\. 0\.\d+ EUR charged/);
  });

  it("continues after Ctrl-C and can be waited for again", async () => {
    const file = await writeStory();
    const stopped = await runWith({ interrupt: true }, "story", file, "-o", directory);
    expect(stopped).toMatchObject({ code: 130, stdout: "" });
    const [, jobId = ""] = /jobs wait (\S+)\n$/.exec(stopped.stderr) ?? [];
    const { stdout } = await command("jobs", "wait", jobId, "-o", directory, "-f", "jpeg");
    expect(stdout.split("\n")).toContain(join(directory, "scene-2.jpg"));
  });

  it("describes the problem of an invalid file", async () => {
    expect(await command("story", join(directory, "none.yaml"))).toMatchObject({ code: 2 });
    const file = join(directory, "broken.json");
    await writeFile(file, "{");
    expect(await command("story", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not a story"),
    });
    await writeFile(file, JSON.stringify({ model, scenes: [] }));
    expect(await command("story", file)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^invalid_request: .*characters/),
    });
  });
});

describe("jobs", () => {
  it("are listed and shown, and final ones cannot be cancelled", async () => {
    const generated = await commandJson<{ id: string }>("generate", "A boat", "-o", directory);
    const { jobs } = await commandJson<{ jobs: { id: string }[] }>("jobs", "--limit", "1");
    expect(jobs.map(({ id }) => id)).toEqual([generated.id]);
    const listed = await command("jobs", "list", "--status", "completed", "--kind", "image");
    expect(listed.stdout).toMatch(/^ID +OPERATION +STATUS/);
    expect(listed.stdout).toContain(generated.id);
    const shown = await command("jobs", "show", generated.id);
    expect(shown.stdout).toMatch(/^Status +completed$/m);
    expect(await command("jobs", "cancel", generated.id)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^job_not_cancellable: /),
    });
  });
});

describe("models and balance", () => {
  it("are shown", async () => {
    expect((await command("models")).stdout).toMatch(/^builtin-illustrator +0\.\d+ /m);
    expect((await command("balance")).stdout).toMatch(/^\d+\.\d\d+ EUR\n$/);
    const { key } = await stack.createAccount("3.5");
    const other = await runWith({ environment: { ATELIER_API_KEY: key } }, "balance");
    expect(other.stdout).toBe("3.50 EUR\n");
  });
});

describe("skills", () => {
  it("are listed, and saved readable for their owner only", async () => {
    const { files } = await commandJson<{ files: { slug: string; formats: string[] }[] }>("skills");
    const { stdout } = await command("skills", "list");
    for (const { slug, formats } of files) {
      expect(stdout).toMatch(new RegExp(`^${slug} +\\S+ +${formats.join(" ")} `, "m"));
    }
    const args = ["skills", "download", "image-generation", "-f", "agents-md", "-o", directory];
    const { file } = await commandJson<{ file: string }>(...args);
    expect(await readFile(file, "utf8")).toMatch(/atl_live_/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const saved = await command("skills", "download", "image-generation", "-o", `${directory}/s`);
    expect(saved.stdout).toBe(`${directory}/s\n`);
  });

  it("contain a key with the name that was asked for, or none", async () => {
    const download = ["skills", "download", "image-generation", "-f", "agents-md", "-o", directory];
    await commandJson(...download, "--name", "Laptop of Mira");
    expect((await command("keys")).stdout).toContain("Laptop of Mira");
    const { file } = await commandJson<{ file: string }>(...download, "--no-embed-key");
    const text = await readFile(file, "utf8");
    expect(text).toContain("YOUR_API_KEY");
    expect(text).not.toContain("atl_live_");
    expect(await command(...download, "--no-embed-key", "--own-key")).toMatchObject({ code: 2 });
  });

  it("report their formats for an unknown one", async () => {
    const outcome = await command("skills", "download", "image-generation", "-f", "pdf");
    expect(outcome).toMatchObject({ code: 5, stderr: expect.stringContaining("agent-skill") });
  });
});

describe("the service", () => {
  it("defaults to the one of npm start", async () => {
    const demo = { base_url: stack.url, api_key: account.key, account_id: account.accountId };
    await writeFile(join(directory, "demo.json"), JSON.stringify(demo));
    const environment = { ATELIER_URL: "", ATELIER_API_KEY: "" };
    expect(await runWith({ environment }, "balance")).toMatchObject({ code: 0 });
    const balance = await runWith({ environment }, "balance", "--url", `${stack.url}/v1/`);
    expect(balance).toMatchObject({ code: 0 });
    const url = "http://elsewhere.test";
    const elsewhere = await runWith({ environment }, "balance", "--url", url);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining(`key for ${url}`) });
  });

  it("is required, and the error says how to start it", async () => {
    const environment = { ATELIER_URL: "", ATELIER_API_KEY: "" };
    expect(await runWith({ environment }, "balance")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/No service is running in .* Run npm start/),
    });
  });
});

describe("errors have their exit code and say what to do", () => {
  it("for an invalid key", async () => {
    expect(await command("balance", "--key", "atl_live_wrong")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Set ATELIER_API_KEY or --key"),
    });
  });

  it("for an insufficient balance, also in JSON", async () => {
    const { key } = await stack.createAccount("0");
    const { code, stderr } = await command("generate", "A fox", "--key", key, "--json");
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({
      error: "insufficient_credit",
      details: { balance_eur: "0.00" },
    });
  });

  it("for an unknown model", async () => {
    expect(await command("generate", "A fox", "-m", "nonesuch")).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^model_not_found: .*\nList the models: /),
    });
  });

  it("for a prompt that violates the content policy", async () => {
    const outcome = await command("generate", "a naked woman, explicit pornography");
    expect(outcome).toMatchObject({ code: 6, stdout: "" });
  });
});

describe("story-demo", () => {
  it("generates the README's story and its contact sheet when run by npm", async () => {
    const demo = { base_url: stack.url, api_key: account.key };
    await writeFile(join(directory, "demo.json"), JSON.stringify(demo));
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const out = join(directory, "out");
    // Rejects unless the exit code is 0.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [main, "story-demo", "-o", out],
      { env: { ATELIER_ENV_FILE: "/dev/null", ATELIER_HOME: directory } },
    );
    expect(stderr).toMatch(/^(\d of 5 scenes(, portraits and places first)?\n)+$/);
    expect(stderr).toMatch(/5 of 5 scenes\n$/);
    expect(stdout).toContain(`\nContact sheet: ${join(out, "contact-sheet.png")}\n`);
    expect(stdout).toMatch(/\n0\.\d+ EUR charged, \d+\.\d+ EUR left\.\n$/);
    const scenes = [1, 2, 3, 4, 5].map((scene) => `scene-${scene}.png`);
    expect((await readdir(out)).toSorted()).toEqual(["contact-sheet.png", ...scenes]);
    // One row of three portraits and two locations, and two rows with the five scenes.
    const sheet = await sharp(join(out, "contact-sheet.png")).metadata();
    expect(sheet).toMatchObject({ format: "png", width: 1_600, height: 1_487 });
  });

  it("prints JSON like story, with the contact sheet", async () => {
    const { stdout } = await command("story-demo", "-o", directory, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      cost_eur: expect.stringMatching(/^0\.\d+$/),
      scenes: Array.from({ length: 5 }, () => expect.anything()),
      files: [1, 2, 3, 4, 5].map((scene) => ({ file: join(directory, `scene-${scene}.png`) })),
      contact_sheet: join(directory, "contact-sheet.png"),
    });
  });
});

describe("verify", () => {
  let image: Uint8Array;
  let file: string;

  beforeAll(async () => {
    const atelier = createAtelier({ baseUrl: stack.url, apiKey: account.key });
    const { image_url, image_hash } = await atelier.generateImage({ model, prompt: "A boat" });
    image = await atelier.images.download({ url: image_url ?? "", hash: image_hash });
  });

  beforeEach(async () => {
    file = join(directory, "boat.png");
    await writeFile(file, image);
  });

  it("reports the producer and model of an image, and whether the signer is trusted", async () => {
    const unknown = await command("verify", file);
    expect(unknown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Manifest +valid, but/m),
    });
    expect(unknown.stdout).toMatch(/^Made by +Atelier/m);
    expect(unknown.stdout).toMatch(/^Making +made by rules, marked as synthetic$/m);

    const anchors = join(directory, "ca.pem");
    await writeFile(anchors, stack.trustAnchorsPem);
    expect(await commandJson("verify", file, "--trust-anchors", anchors)).toMatchObject({
      file,
      state: "trusted",
      valid: true,
      trusted: true,
    });
    await mkdir(join(directory, "certificates"));
    await writeFile(join(directory, "certificates/trust-anchors.pem"), stack.trustAnchorsPem);
    expect((await command("verify", file)).stdout).toMatch(
      /^Manifest +valid, from a trusted signer$/m,
    );
  });

  it("reports the time stamp and whether its authority is trusted", async () => {
    const authority = await startTimeStampAuthority();
    const certificates = await createDevelopmentCertificates();
    const marker = await createMarker({
      ...certificates,
      trustAnchorsPem: certificates.rootPem,
      claimGenerator: { name: "Atelier", version: "1.0.0" },
      timeStampUrls: [authority.url],
    });
    const [stamped] = await marker.mark({
      image: { bytes: image },
      model: { id: "a", name: "A", provider: "A", procedural: false },
      ingredients: [],
      createdAt: new Date(),
    });
    await authority.stop();
    await writeFile(file, stamped!.bytes);
    expect((await command("verify", file)).stdout).toMatch(
      /^Making +AI-made: a trained model made/m,
    );
    expect((await command("verify", file)).stdout).toMatch(
      /^Stamped at +\S+, by an untrusted authority$/m,
    );

    const anchors = join(directory, "ca.pem");
    await writeFile(anchors, authority.issuerPem);
    const { stdout } = await command("verify", file, "--trust-anchors", anchors);
    expect(stdout).toMatch(/^Stamped at +\S+$/m);
  });

  it("exits with 9 for a changed image, and for one without a manifest", async () => {
    const bytes = Buffer.from(image);
    const late = bytes.length - 100;
    bytes[late] = (bytes[late] ?? 0) ^ 1;
    await writeFile(file, bytes);
    const changed = await command("verify", file);
    expect(changed).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/^Manifest +NOT valid/m),
    });

    await writeFile(file, await sharp(image).resize(64).png().toBuffer());
    const stripped = await command("verify", file);
    expect(stripped).toMatchObject({ code: 9, stdout: expect.stringMatching(/^Manifest +none$/m) });
  });

  it("reports the XMP of a re-encoded image that lost its manifest", async () => {
    const kept = await sharp(image).keepMetadata().webp().toBuffer();
    await writeFile(file, kept);
    const { code, stdout } = await command("verify", file);
    expect(code).toBe(9);
    expect(stdout).toMatch(/^Manifest +none$/m);
    expect(stdout).toMatch(/^XMP +made by rules, marked as synthetic \(not signed: anybody/m);
    expect(JSON.parse((await command("verify", file, "--json")).stdout)).toMatchObject({
      state: "absent",
      synthetic: "rules",
      xmp: { synthetic: "rules" },
    });
  });

  it("rejects a file that is not an image", async () => {
    await writeFile(file, "hello");
    expect(await command("verify", file)).toMatchObject({ code: 2 });
  });

  it("lets a service verify files with --url, without a key", async () => {
    await writeFile(
      join(directory, "copy.jpg"),
      await sharp(image).jpeg({ quality: 60 }).toBuffer(),
    );
    await writeFile(join(directory, "notes.png"), "hello");
    const { code, stdout } = await runWith(
      { environment: { ATELIER_API_KEY: "", ATELIER_HOME: join(directory, "nothing") } },
      "verify",
      directory,
      "--url",
      `${stack.url}/`,
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject([
      { file, verdict: "made_here", image: { model } },
      { file: join(directory, "copy.jpg"), verdict: "similar_found", based_on: ["fingerprint"] },
      { file: join(directory, "notes.png"), verdict: "not_an_image" },
    ]);
    expect(code).toBe(9);
  });

  it("rejects an address that is not HTTP", async () => {
    const outcome = await command("verify", file, "--url", "ftp://127.0.0.1");
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("http://") });
  });

  it("rejects a trust anchor file without certificates", async () => {
    const anchors = join(directory, "ca.pem");
    await writeFile(anchors, "hello");
    const outcome = await command("verify", file, "--trust-anchors", anchors);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("no certificate") });
  });
});
