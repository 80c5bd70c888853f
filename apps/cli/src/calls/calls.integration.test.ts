import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAtelier } from "@atelier/client";
import { createDevelopmentCertificates, createMarker } from "@atelier/provenance";
import { startTimeStampAuthority } from "@atelier/provenance/testing";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { run } from "../run.ts";

// Stories take their time on a machine that has other things to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stack: Stack;
let account: TestAccount;
let root: string;
/** Of one test. */
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

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Presses Ctrl-C at the first sign of progress. */
  readonly interrupt?: boolean;
}

/** Runs one command line. */
async function runWith(
  { environment, isTTY = false, interrupt = false }: Surroundings,
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

/** The answer in JSON of a command that must work. */
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

describe("generate", () => {
  it("in a pipe says nothing but where the image is", async () => {
    const { code, stdout, stderr } = await command("generate", "A red fox", "-o", directory);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const file = stdout.trimEnd();
    expect(file).toMatch(/\/atelier-[0-9a-f-]{36}\.png$/);
    expect(await sharp(await readFile(file)).metadata()).toMatchObject({ format: "png" });
  });

  it("makes the format that the file's name says, with the hash of its answer", async () => {
    const file = join(directory, "new/fox.webp");
    const args = ["generate", "A red fox", "-m", model, "-a", "16:9", "-o", file];
    const answer = await commandJson<{ files: { sha256: string }[]; model: string }>(...args);
    const bytes = await readFile(file);
    expect(answer).toMatchObject({ model, ai_generated: true, files: [{ file, format: "webp" }] });
    expect(sha256(bytes)).toBe(answer.files[0]?.sha256);
    expect(await readdir(join(directory, "new"))).toEqual(["fox.webp"]);
    const { width, height } = await sharp(bytes).metadata();
    expect(width / height).toBeCloseTo(16 / 9, 1);
  });

  it("on a terminal shows that it moves, what it cost, and colours unless NO_COLOR is set", async () => {
    const args = ["generate", "A red fox", "-o", directory];
    const inColor = await runWith({ isTTY: true }, ...args);
    expect(inColor.stderr).toContain("\u001b[36m");
    expect(inColor.stderr).toMatch(/0\.\d+ EUR charged, \d+\.\d+ EUR left\.\n$/);
    const plain = await runWith({ isTTY: true, environment: { NO_COLOR: "1" } }, ...args);
    expect(plain.stderr).not.toContain("\u001b[36m");
    expect(plain.stderr).toContain("EUR charged");
  });

  it("makes and charges one image for one idempotency key", async () => {
    const args = ["generate", "A red fox", "-o", directory, "--idempotency-key", "order-7"];
    const first = await commandJson<{ id: string }>(...args);
    expect(await commandJson(...args)).toMatchObject({ id: first.id });
  });

  it("without a model asks for a degraded one where all are", async () => {
    await stack.database.query(
      `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
       SELECT lane, 5, gen_random_uuid(), now() + interval '10 minutes', 'status 503'
         FROM unnest($1::text[]) AS lane`,
      [["builtin", "fake-blind", "fake-resumable"]],
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
      stderr: expect.stringContaining(`The provider of ${model} does not answer`),
    });
    await stack.database.query("DELETE FROM lane_health");
    await untilAll("available");
  });

  it.each([
    ["the ending of another format", ["-f", "png", "-o", "fox.webp"], "--format says png"],
    ["the ending of no image", ["-o", "fox.gif"], "use .png, .jpg or .webp"],
  ])("spends nothing on a file with %s", async (_, flags, says) => {
    const before = await commandJson("balance");
    const outcome = await command("generate", "A fox", ...flags);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(await commandJson("balance")).toEqual(before);
  });

  it("spends nothing where no folder can be made", async () => {
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
        stderr: expect.stringContaining("Nothing can be written to"),
      });
    }
    expect(await commandJson("balance")).toEqual(before);
  });

  it("says which job was charged when its image cannot be saved, and how to get it", async () => {
    const taken = join(directory, "fox.png");
    await mkdir(taken);
    const { code, stderr } = await command("generate", "A fox", "-m", model, "-o", taken);
    expect(code).toBe(1);
    const [, jobId = ""] = /charged\. .*jobs wait (\S+) -o <folder>\n$/.exec(stderr) ?? [];
    const { stdout } = await command("jobs", "wait", jobId, "-o", directory);
    expect(stdout).toBe(`${join(directory, `atelier-${jobId}.png`)}\n`);
  });

  it("saves in folders, also with a dot in their names", async () => {
    const there = join(directory, "of.2026");
    await mkdir(there);
    for (const folder of [there, `${directory}/of.2027/`, join(directory, "new")]) {
      const { stdout } = await command("generate", "A fox", "-m", model, "-o", folder);
      expect(dirname(stdout)).toBe(folder.replace(/\/$/, ""));
    }
  });
});

describe("story", () => {
  it("tells scene by scene how far it is, and saves each", async () => {
    const out = join(directory, "out");
    const { code, stdout, stderr } = await command("story", await writeStory(), "-o", out);
    expect(code).toBe(0);
    expect(stdout).toBe(`${join(out, "scene-1.png")}\n${join(out, "scene-2.png")}\n`);
    expect(stderr).toMatch(/^(\d of 2 scenes(, portraits and places first)?\n)+$/);
    expect(stderr).toMatch(/2 of 2 scenes\n$/);
    expect(await readdir(out)).toEqual(["scene-1.png", "scene-2.png"]);
  });

  it("draws a bar on a terminal", async () => {
    const args = ["story", await writeStory(), "-o", directory, "-f", "webp"];
    const { stderr } = await runWith({ isTTY: true }, ...args);
    expect(stderr).toContain("████████████████████████");
    expect(stderr).toMatch(/", 2 scenes\. 0\.\d+ EUR charged/);
  });

  it("goes on when nobody waits for it any more, and can be waited for again", async () => {
    const file = await writeStory();
    const stopped = await runWith({ interrupt: true }, "story", file, "-o", directory);
    expect(stopped).toMatchObject({ code: 130, stdout: "" });
    const [, jobId = ""] = /jobs wait (\S+)\n$/.exec(stopped.stderr) ?? [];
    const { stdout } = await command("jobs", "wait", jobId, "-o", directory, "-f", "jpeg");
    expect(stdout.split("\n")).toContain(join(directory, "scene-2.jpg"));
  });

  it("says what is wrong with the file", async () => {
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
  it("are listed, shown, and final ones not cancelled", async () => {
    const made = await commandJson<{ id: string }>("generate", "A boat", "-o", directory);
    const { jobs } = await commandJson<{ jobs: { id: string }[] }>("jobs", "--limit", "1");
    expect(jobs.map(({ id }) => id)).toEqual([made.id]);
    const listed = await command("jobs", "list", "--status", "completed", "--kind", "image");
    expect(listed.stdout).toMatch(/^ID +KIND +STATUS/);
    expect(listed.stdout).toContain(made.id);
    const shown = await command("jobs", "show", made.id);
    expect(shown.stdout).toMatch(/^Status +completed$/m);
    expect(await command("jobs", "cancel", made.id)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^job_not_cancellable: /),
    });
  });
});

describe("what an account has", () => {
  it("is told: models and balance", async () => {
    expect((await command("models")).stdout).toMatch(/^builtin-illustrator +0\.\d+ /m);
    expect((await command("balance")).stdout).toMatch(/^\d+\.\d\d+ EUR\n$/);
    const { key } = await stack.createAccount("3.5");
    const other = await runWith({ environment: { ATELIER_API_KEY: key } }, "balance");
    expect(other.stdout).toBe("3.50 EUR\n");
  });
});

describe("skills", () => {
  it("are listed, and saved so that only their owner reads the key in them", async () => {
    const { files } = await commandJson<{ files: { slug: string; formats: string[] }[] }>("skills");
    const { stdout } = await command("skills", "list");
    for (const { slug, formats } of files) {
      expect(stdout).toMatch(new RegExp(`^${slug} +\\S+ +${formats.join(" ")} `, "m"));
    }
    const args = ["skills", "download", "image-generation", "-f", "agents-md", "-o", directory];
    const { file } = await commandJson<{ file: string }>(...args);
    expect(await readFile(file, "utf8")).toContain(account.key);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const saved = await command("skills", "download", "image-generation", "-o", `${directory}/s`);
    expect(saved.stdout).toBe(`${directory}/s\n`);
  });

  it("have formats, which a wrong one is answered with", async () => {
    const outcome = await command("skills", "download", "image-generation", "-f", "pdf");
    expect(outcome).toMatchObject({ code: 5, stderr: expect.stringContaining("agent-skill") });
  });
});

describe("the service", () => {
  it("is the one that npm start runs here, when none is named", async () => {
    const demo = { base_url: stack.url, api_key: account.key, account_id: account.accountId };
    await writeFile(join(directory, "demo.json"), JSON.stringify(demo));
    const environment = { ATELIER_URL: "", ATELIER_API_KEY: "" };
    expect(await runWith({ environment }, "balance")).toMatchObject({ code: 0 });
    const here = await runWith({ environment }, "balance", "--url", `${stack.url}/v1/`);
    expect(here).toMatchObject({ code: 0 });
    const url = "http://elsewhere.test";
    const elsewhere = await runWith({ environment }, "balance", "--url", url);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining(`key for ${url}`) });
  });

  it("has to be there, and the answer says how", async () => {
    const environment = { ATELIER_URL: "", ATELIER_API_KEY: "" };
    expect(await runWith({ environment }, "balance")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing runs in .* Start it with npm start/),
    });
  });
});

describe("a refusal has the exit code of its kind, and says what to do", () => {
  it("for a key that is wrong", async () => {
    expect(await command("balance", "--key", "atl_live_wrong")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Set ATELIER_API_KEY or --key"),
    });
  });

  it("for an empty balance, in JSON too", async () => {
    const { key } = await stack.createAccount("0");
    const { code, stderr } = await command("generate", "A fox", "--key", key, "--json");
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({
      error: "insufficient_credit",
      details: { balance_eur: "0.00" },
    });
  });

  it("for a model that is not there", async () => {
    expect(await command("generate", "A fox", "-m", "nonesuch")).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^model_not_found: .*\nSee what there is: /),
    });
  });

  it("for what the policy forbids", async () => {
    const outcome = await command("generate", "a naked woman, explicit pornography");
    expect(outcome).toMatchObject({ code: 6, stdout: "" });
  });
});

describe("story-demo", () => {
  it("as npm starts it, tells the README's story and puts it on one sheet", async () => {
    const demo = { base_url: stack.url, api_key: account.key };
    await writeFile(join(directory, "demo.json"), JSON.stringify(demo));
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const out = join(directory, "out");
    // Rejected when it ends with another code than 0.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [main, "story-demo", "-o", out],
      { env: { ATELIER_HOME: directory } },
    );
    expect(stderr).toMatch(/^(\d of 5 scenes(, portraits and places first)?\n)+$/);
    expect(stderr).toMatch(/5 of 5 scenes\n$/);
    expect(stdout).toContain(`\nContact sheet: ${join(out, "contact-sheet.png")}\n`);
    expect(stdout).toMatch(/\n0\.\d+ EUR charged, \d+\.\d+ EUR left\.\n$/);
    const scenes = [1, 2, 3, 4, 5].map((scene) => `scene-${scene}.png`);
    expect((await readdir(out)).toSorted()).toEqual(["contact-sheet.png", ...scenes]);
    // Three portraits and two places in one row, and below them five scenes in two.
    const sheet = await sharp(join(out, "contact-sheet.png")).metadata();
    expect(sheet).toMatchObject({ format: "png", width: 1_600, height: 1_487 });
  });

  it("answers in JSON as a story does, with the sheet beside its files", async () => {
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

  it("says who made an image with what, and whether one may trust it", async () => {
    const unknown = await command("verify", file);
    expect(unknown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Manifest +valid, but/m),
    });
    expect(unknown.stdout).toMatch(/^Made by +Atelier/m);
    expect(unknown.stdout).toMatch(/^AI-made +no: a machine made it by rules, without a trained/m);

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
    expect((await command("verify", file)).stdout).toMatch(/^Manifest +valid, and signed by/m);
  });

  it("says when an image was stamped, and whether by an authority that one may trust", async () => {
    const authority = await startTimeStampAuthority();
    const certificates = await createDevelopmentCertificates();
    const marker = await createMarker({
      ...certificates,
      trustAnchorsPem: certificates.rootPem,
      claimGenerator: { name: "Atelier", version: "1.0.0" },
      timeStampUrl: authority.url,
    });
    const [stamped] = await marker.mark({
      image: { bytes: image },
      model: { id: "a", name: "A", provider: "A", procedural: false },
      ingredients: [],
      createdAt: new Date(),
    });
    await authority.stop();
    await writeFile(file, stamped!.bytes);
    expect((await command("verify", file)).stdout).toMatch(/^AI-made +yes: a trained model made/m);
    expect((await command("verify", file)).stdout).toMatch(
      /^Stamped at +\S+, by an authority that/m,
    );

    const anchors = join(directory, "ca.pem");
    await writeFile(anchors, authority.issuerPem);
    const { stdout } = await command("verify", file, "--trust-anchors", anchors);
    expect(stdout).toMatch(/^Stamped at +\S+$/m);
  });

  it("ends with 9 for an image that was changed, and for one without a manifest", async () => {
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

  it("refuses what is not an image", async () => {
    await writeFile(file, "hello");
    expect(await command("verify", file)).toMatchObject({ code: 2 });
  });

  it("refuses trust anchors that are none, instead of trusting nobody unseen", async () => {
    const anchors = join(directory, "ca.pem");
    await writeFile(anchors, "hello");
    const outcome = await command("verify", file, "--trust-anchors", anchors);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("no certificate") });
  });
});
