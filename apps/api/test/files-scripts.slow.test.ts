import { once } from "node:events";
import { readdirSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { createDevelopmentCertificates, type MarkRequest } from "@atelier/provenance";
import { createMarker, verifyProvenance } from "@atelier/provenance/images";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  download,
  install,
  installShellScript,
  run as runIn,
  slugs,
  templatesFolder,
  type Run,
} from "./support/files.ts";

const node = process.execPath;

let stack: Stack;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-scripts-"));
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
});

afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** File names of the scripts that ran successfully. */
const succeeded = new Set<string>();

async function run(
  folder: string,
  command: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Run> {
  const ended = await runIn(folder, command, environment);
  if (ended.code === 0) succeeded.add(basename(command[1] ?? ""));
  return ended;
}

/** Installs a skill with an account's key and returns its folder. */
async function skill(slug: string, of: TestAccount): Promise<string> {
  return install(directory, await download(stack, of, slug, "agent-skill"), slug);
}

/** Installs the shell script of a skill with an account's key and returns its path. */
async function shellScript(slug: string, of: TestAccount): Promise<string> {
  return installShellScript(directory, await download(stack, of, slug, "curl"));
}

describe("the scripts of the skills", { concurrent: true, timeout: 120_000 }, () => {
  it("make an image, show its provenance, and download it again", async () => {
    const own = await stack.createAccount();
    const folder = await skill("image-generation", own);
    const command = [node, "scripts/generate-image.mjs", "A red boat at sunset"];
    const options = ["--model", "builtin-illustrator", "--aspect-ratio", "16:9"];
    options.push("--idempotency-key", "boat");
    const file = join(directory, "boat.webp");
    const result = await run(folder, [...command, ...options, "-o", file]);
    expect(result).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(result.stderr).toMatch(/completed\ncost 0\.01 EUR, balance \d+\.\d+ EUR, seed \d+\n$/);
    const [, jobId = ""] = /^job (\S+)$/m.exec(result.stderr) ?? [];
    const { format, width, height } = await sharp(await readFile(file)).metadata();
    expect(format).toBe("webp");
    expect(width / height).toBeCloseTo(16 / 9, 1);
    const again = await run(folder, [...command, ...options, "-o", file]);
    expect(again.stderr).toContain(`job ${jobId}`);

    const changed = join(directory, "changed.webp");
    await copyFile(file, changed);
    await appendFile(changed, "x");
    const checks = await skill("provenance-check", own);
    const known = await run(checks, [node, "scripts/check-provenance.mjs", file]);
    expect(known.code).toBe(0);
    expect(JSON.parse(known.stdout)).toMatchObject({
      made_here_and_unchanged: true,
      job_id: jobId,
      has_c2pa_manifest: true,
      source_type: "algorithmicMedia",
      says_synthetic: true,
      says_ai_generated: null,
    });
    const unknown = await run(checks, [node, "scripts/check-provenance.mjs", changed]);
    expect(unknown.code).toBe(10);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ made_here_and_unchanged: false });

    const history = await skill("job-history", own);
    const list = await run(history, [node, "scripts/jobs.mjs", "list", "--kind", "image"]);
    expect(list.stdout).toContain(jobId);
    const saved = await run(history, [node, "scripts/jobs.mjs", "save", jobId, "--format", "webp"]);
    expect(saved).toMatchObject({ code: 0, stdout: `${jobId}.webp\n` });
    expect(await readFile(join(history, `${jobId}.webp`))).toEqual(await readFile(file));
    const shown = await run(history, [node, "scripts/jobs.mjs", "show", jobId]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: jobId, status: "completed" });
    const balance = await run(history, [node, "scripts/jobs.mjs", "balance"]);
    expect(balance.stdout).toMatch(/^\d+\.\d+ EUR to spend, 0\.00 EUR held/);
  });

  it("report how a file was made exactly as its manifest states", async () => {
    const checks = await skill("provenance-check", await stack.createAccount());
    const certificates = await createDevelopmentCertificates();
    const trust = { trustAnchorsPem: certificates.rootPem };
    const claimGenerator = { name: "Atelier", version: "1.0.0" };
    const marker = await createMarker({ ...certificates, ...trust, claimGenerator });
    const background = "#888";
    const square = sharp({ create: { width: 64, height: 64, channels: 3, background } });
    const image = { bytes: await square.png().toBuffer() };
    const mark = async (procedural: boolean, ingredients: MarkRequest["ingredients"]) => {
      const model = { id: "a", name: "A", provider: "A", procedural };
      return marker.mark({ image, model, ingredients, createdAt: new Date() });
    };
    for (const procedural of [true, false]) {
      const [other] = await mark(!procedural, []);
      for (const { bytes, format } of await mark(procedural, [{ ...other!, title: "a" }])) {
        const file = join(checks, `marked.${format}`);
        await writeFile(file, bytes);
        const { stdout } = await run(checks, [node, "scripts/check-provenance.mjs", file]);
        const { digitalSourceType, synthetic, aiGenerated } = await verifyProvenance(bytes, trust);
        expect(JSON.parse(stdout)).toMatchObject({
          source_type: digitalSourceType?.split("/").at(-1),
          says_ai_generated: aiGenerated,
        });
        expect(synthetic).toBe(procedural ? "rules" : "trained_model");
      }
    }
    await writeFile(join(checks, "plain.png"), image.bytes);
    const plain = await run(checks, [node, "scripts/check-provenance.mjs", "plain.png"]);
    expect(JSON.parse(plain.stdout)).toMatchObject({ source_type: null, says_ai_generated: null });
  });

  it("make a story and report its progress", async () => {
    const own = await stack.createAccount();
    const folder = await skill("story-generation", own);
    const output = join(directory, "story");
    const { code, stdout, stderr } = await run(folder, [
      node,
      "scripts/generate-story.mjs",
      "assets/story.json",
      "--model",
      "fake-blind",
      "--format",
      "jpg",
      "-o",
      output,
    ]);
    expect(code).toBe(0);
    expect(stdout).toBe(`${join(output, "scene-01.jpeg")}\n${join(output, "scene-02.jpeg")}\n`);
    expect(stderr).toContain("scene 2 of 2\n");
    expect(stderr).toContain("cost 0.30 EUR");
    expect((await sharp(join(output, "scene-02.jpeg")).metadata()).format).toBe("jpeg");
    const saved = JSON.parse(await readFile(join(output, "job.json"), "utf8")) as object;
    expect(saved).toMatchObject({ kind: "story", status: "completed" });
  });

  it("do the same with a shell script and curl", async () => {
    const own = await stack.createAccount();
    const image = await shellScript("image-generation", own);
    const prompt = 'A boat called "Gull", \\o/\nby night';
    const folder = dirname(image);
    const settings = { ATELIER_MODEL: "builtin-illustrator", ASPECT_RATIO: "16:9" };
    const generated = await run(folder, ["sh", image, prompt, "gull.png"], settings);
    expect(generated).toMatchObject({ code: 0, stdout: "gull.png\n" });
    expect(generated.stderr).toMatch(/completed\ncost 0\.01 EUR, balance \d+\.\d+ EUR\n$/);
    const [, jobId = ""] = /^job (\S+): completed$/m.exec(generated.stderr) ?? [];
    expect((await sharp(join(folder, "gull.png")).metadata()).format).toBe("png");
    for (const [file, extra] of [
      ["gull.JPG", {}],
      ["gull", { FORMAT: "jpg" }],
    ] as const) {
      const photo = await run(folder, ["sh", image, prompt, file], { ...settings, ...extra });
      expect(photo).toMatchObject({ code: 0, stdout: `${file}\n` });
      expect((await sharp(join(folder, file)).metadata()).format).toBe("jpeg");
    }

    const check = await shellScript("provenance-check", own);
    const known = await run(folder, ["sh", check, "gull.png"]);
    expect(known).toMatchObject({ code: 0, stdout: /^made here and unchanged/ });
    const unknown = await run(folder, ["sh", check, check]);
    expect(unknown.code).toBe(10);

    const history = await shellScript("job-history", own);
    const saved = await run(folder, [
      "sh",
      history,
      "save",
      jobId,
      "-o",
      "again",
      "--format",
      "webp",
    ]);
    expect(saved).toMatchObject({ code: 0, stdout: `again/${jobId}.webp\n` });
    expect((await sharp(join(folder, `again/${jobId}.webp`)).metadata()).format).toBe("webp");
    const list = await run(folder, ["sh", history, "list", "--kind", "image", "--limit", "5"]);
    expect(list.stdout).toContain(jobId);
    expect((await run(folder, ["sh", history, "show", jobId])).stdout).toContain(jobId);
    expect((await run(folder, ["sh", history, "balance"])).stdout).toMatch(
      /^\d+\.\d+ EUR to spend/,
    );

    const story = await shellScript("story-generation", own);
    const storyCommand = ["sh", story, "--model", "fake-blind", "-o", "scenes", "--format", "jpg"];
    const result = await run(folder, storyCommand);
    expect(result).toMatchObject({
      code: 0,
      stdout: "scenes/scene-01.jpeg\nscenes/scene-02.jpeg\n",
    });
    expect(result.stderr).toContain("completed, scene 2\n");
    expect((await sharp(join(folder, "scenes/scene-02.jpeg")).metadata()).format).toBe("jpeg");
    expect(await run(folder, storyCommand)).toMatchObject({
      code: 2,
      stderr: "scenes has scenes of another story: name a new folder.\n",
    });
  });

  it("edit and combine files, URLs and images of jobs", async () => {
    const own = await stack.createAccount();
    const folder = await skill("image-editing", own);
    const script = await shellScript("image-editing", own);
    const picture = sharp({
      create: { width: 64, height: 48, channels: 3, background: "#2b4c7e" },
    });
    const bay = join(directory, "bay.png");
    const half = sharp({ create: { width: 32, height: 48, channels: 3, background: "#fff" } });
    const mask = join(directory, "mask.png");
    await writeFile(bay, await picture.png().toBuffer());
    const black = sharp({ create: { width: 64, height: 48, channels: 3, background: "#000" } });
    await black.composite([{ input: await half.png().toBuffer(), left: 0, top: 0 }]).toFile(mask);
    for (const command of [
      [node, "scripts/edit-images.mjs"],
      ["sh", script],
    ]) {
      const runHere = (...args: string[]) => run(folder, [...command, ...args]);
      const edited = await runHere("edit", "a red boat", bay, "--mask", mask, "-o", "boat.webp");
      expect(edited).toMatchObject({ code: 0, stdout: "boat.webp\n" });
      const { format, width, height } = await sharp(join(folder, "boat.webp")).metadata();
      expect({ format, width, height }).toEqual({ format: "webp", width: 64, height: 48 });
      const jobId = /^job ([0-9a-f-]+)/m.exec(edited.stderr)?.[1] ?? "";
      const both = ["--image", bay, "--description", "a bay"];
      both.push("--image", jobId, "--description", "a red boat");
      const combined = await runHere("combine", "the boat in the bay", ...both, "-o", "both.png");
      expect(combined).toMatchObject({ code: 0, stdout: "both.png\n" });
      expect((await sharp(join(folder, "both.png")).metadata()).format).toBe("png");
      const missing = await runHere("combine", "the boat", "--image", bay);
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/^usage: /) });
      const noImage = await runHere("edit", "a red boat", "notes.txt");
      expect(noImage).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^notes\.txt is no /),
      });
    }
  });

  it("draw graphics and diagrams as SVG and PNG", async () => {
    const own = await stack.createAccount();
    for (const [slug, script, args] of [
      ["graphics", "draw-graphic.mjs", ["a rocket", "--color", "#1f3a5f", "--color", "#e07a3f"]],
      ["diagrams", "draw-diagram.mjs", ["user → API", "--direction", "down"]],
    ] as const) {
      const folder = await skill(slug, own);
      const shell = await shellScript(slug, own);
      for (const command of [
        [node, `scripts/${script}`],
        ["sh", shell],
      ]) {
        const drawn = await run(folder, [...command, ...args, "-o", "drawn.svg"]);
        expect(drawn).toMatchObject({ code: 0, stdout: "drawn.svg\n" });
        expect(await readFile(join(folder, "drawn.svg"), "utf8")).toMatch(/^<(\?xml|svg)/);
      }
    }
    const folder = await skill("diagrams", own);
    await writeFile(join(folder, "orders.mmd"), 'flowchart TD\n  A["Order"] --> B[Ship]\n');
    for (const command of [
      [node, "scripts/draw-diagram.mjs"],
      ["sh", await shellScript("diagrams", own)],
    ]) {
      const source = ["--source", "orders.mmd", "--language", "mermaid", "-o", "orders.png"];
      expect(await run(folder, [...command, ...source])).toMatchObject({ code: 0 });
      expect((await sharp(join(folder, "orders.png")).metadata()).format).toBe("png");
    }
  });

  it("make several images with a seed and metadata, say the price, and save them as a ZIP file", async () => {
    const own = await stack.createAccount();
    const folder = await skill("image-generation", own);
    const history = await skill("job-history", own);
    const historyInShell = await shellScript("job-history", own);
    for (const [index, command] of [
      [node, "scripts/generate-image.mjs"],
      ["sh", await shellScript("image-generation", own)],
    ].entries()) {
      const options = ["--model", "fake-blind", "--n", "2", "--seed", "7"];
      options.push("--metadata", `order=A ${index}`, "-o", "boat.jpg");
      const quoted = await run(folder, [...command, "A boat", ...options, "--quote"]);
      expect(quoted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\.10 EUR of /) });
      const generated = await run(folder, [...command, "A boat", ...options]);
      expect(generated).toMatchObject({ code: 0, stdout: "boat-1.jpg\nboat-2.jpg\n" });
      const list = ["list", "--metadata", `order=A ${index}`, "--words", "boat"];
      const jobs = index === 0 ? [node, "scripts/jobs.mjs"] : ["sh", historyInShell];
      const found = await run(history, [...jobs, ...list]);
      const [jobId = "", ...others] = new Set(
        found.stdout.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=  |","kind")/g),
      );
      expect(others).toEqual([]);
      const files = await run(history, [...jobs, "save", jobId]);
      expect(files.stdout).toBe(
        `./${jobId}-1.png\n./${jobId}-2.png\n`.replaceAll("./", index === 0 ? "" : "./"),
      );
      const archived = await run(history, [...jobs, "archive", jobId, "-o", "."]);
      expect(archived).toMatchObject({ code: 0 });
      const zip = unzipSync(await readFile(join(history, `${jobId}.zip`)));
      expect(Object.keys(zip)).toEqual(["image-1.png", "image-2.png"]);
    }
    const story = await skill("story-generation", own);
    const price = ["scripts/generate-story.mjs", "assets/story.json", "--model", "fake-blind"];
    const quote = await run(story, [node, ...price, "--quote"]);
    expect(quote).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\.30 EUR of /) });
  });

  it("explain every kind of error and set the exit code", async () => {
    const poor = await stack.createAccount("0");
    const folder = await skill("image-generation", poor);
    const shell = await shellScript("image-generation", poor);
    const rich = { ATELIER_API_KEY: (await stack.createAccount("1")).key };
    const wrongKey = { ATELIER_API_KEY: "wrong" };
    const script = [node, join(folder, "scripts/generate-image.mjs")];
    const inShell = ["sh", shell];
    const headless = "A severed head on a table";
    const refused = [
      [[...script, headless, "--idempotency-key", "node"], rich, 2, "content_policy_violation"],
      [[...inShell, headless], { ...rich, IDEMPOTENCY_KEY: "sh" }, 2, "content_policy_violation"],
    ] as const;
    const cases = [
      ...refused,
      // A repeated run is refused again.
      ...refused,
      [[...script, "A boat"], {}, 4, "insufficient_credit"],
      [[...script, "A boat"], wrongKey, 3, "unauthorized"],
      [[...script, "A boat", "--model", "nothing"], {}, 2, "model_not_found"],
      [[...script, "A boat", "--aspect-ratio", "wide"], {}, 2, "unsupported_aspect_ratio"],
      [[...inShell, "A boat"], {}, 4, "insufficient_credit"],
      [[...inShell, "A boat"], wrongKey, 3, "unauthorized"],
      [[...inShell, "A boat"], { MODEL: "nothing" }, 2, "model_not_found"],
    ] as const;
    for (const [command, environment, code, says] of cases) {
      const result = await run(directory, command, environment);
      expect(result).toMatchObject({ code, stdout: "" });
      expect(result.stderr).toContain(says);
      expect(result.stderr).toContain("what to do: ");
    }
    const usage = await run(directory, script);
    expect(usage).toMatchObject({ code: 2, stderr: expect.stringMatching(/^usage: /) });
  });

  it("refuse an unknown format, or one that contradicts the file name, before any request", async () => {
    // No server listens there: any request would end with exit code 6.
    const environment = { ATELIER_URL: "http://127.0.0.1:1" };
    const own = await stack.createAccount();
    const image = join(await skill("image-generation", own), "scripts/generate-image.mjs");
    const story = await skill("story-generation", own);
    const storyScript = join(story, "scripts/generate-story.mjs");
    const storyFile = join(story, "assets/story.json");
    const jobs = join(await skill("job-history", own), "scripts/jobs.mjs");
    const shell = await shellScript("image-generation", own);
    const unknown =
      /^Unknown format "(gif|constructor)"\. Use png, jpeg(, webp or svg| or webp)\.\n$/;
    const contradiction =
      /^y\.png is the name of a png, and \S+ says webp: leave one of them out\.\n$/;
    const cases = [
      [[node, image, "A boat", "--format", "gif"], {}, unknown],
      [[node, image, "A boat", "--format", "constructor"], {}, unknown],
      [[node, image, "A boat", "-o", "x.gif"], {}, unknown],
      [[node, image, "A boat", "-o", "y.png", "--format", "webp"], {}, contradiction],
      [[node, storyScript, storyFile, "--format", "gif"], {}, unknown],
      [[node, jobs, "save", own.accountId, "--format", "gif"], {}, unknown],
      [["sh", shell, "A boat"], { FORMAT: "gif" }, unknown],
      [["sh", shell, "A boat", "x.gif"], {}, unknown],
      [["sh", shell, "A boat", "y.png"], { FORMAT: "webp" }, contradiction],
    ] as const;
    for (const [command, settings, says] of cases) {
      const result = await run(directory, command, { ...environment, ...settings });
      expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(says) });
    }
  });

  it("report an invalid setting at once, without printing the key", async () => {
    const folder = await skill("image-generation", await stack.createAccount());
    const command = [node, "scripts/generate-image.mjs", "A boat"];
    const cases = [
      [command, { ATELIER_API_KEY: "atl_live_…" }],
      [command, { ATELIER_URL: "http://mira:secret@127.0.0.1:1" }],
      [[...command, "--idempotency-key", "夏"], {}],
    ] as const;
    for (const [given, environment] of cases) {
      const result = await run(folder, given, environment);
      expect(result).toMatchObject({ code: 2, stdout: "" });
      expect(result.stderr).toMatch(/^This can't be sent: ATELIER_URL must be [^\n]*\n$/);
      expect(result.stderr).not.toMatch(/atl_live|secret/);
    }
  });

  it("answer --help with the same options in a shell and in Node", async () => {
    const own = await stack.createAccount();
    const scripts = {
      "image-generation": "generate-image.mjs",
      "job-history": "jobs.mjs",
      "provenance-check": "check-provenance.mjs",
      "image-editing": "edit-images.mjs",
      graphics: "draw-graphic.mjs",
      diagrams: "draw-diagram.mjs",
      "story-generation": "generate-story.mjs",
    };
    const optionsIn = (usage: string) => new Set(usage.match(/(?<= |\[)--?[a-z-]+/g));
    for (const [slug, script] of Object.entries(scripts)) {
      const folder = await skill(slug, own);
      const inNode = await run(folder, [node, `scripts/${script}`, "--help"]);
      const inShell = await run(folder, ["sh", await shellScript(slug, own), "--help"]);
      expect(inNode).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: node /) });
      expect(inShell).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: sh /) });
      expect(optionsIn(inShell.stdout)).toEqual(optionsIn(inNode.stdout));
    }
  });

  it("refuse an empty job id", async () => {
    const folder = await skill("job-history", await stack.createAccount());
    const shown = await run(folder, [node, "scripts/jobs.mjs", "show", ""]);
    expect(shown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^usage: /) });
  });

  it.each([
    { name: "Node", isShell: false },
    { name: "curl", isShell: true },
  ])(
    "repeat with $name a request that was not answered, with the same key",
    async ({ isShell }) => {
      const own = await stack.createAccount();
      const flaky = await startFlakyService();
      try {
        const shell = await shellScript("image-generation", own);
        const folder = await skill("image-generation", own);
        const command = isShell
          ? ["sh", shell, "A boat", "boat.png"]
          : [node, "scripts/generate-image.mjs", "A boat", "-o", "boat.png"];
        const result = await run(folder, command, {
          ATELIER_URL: flaky.url,
          ATELIER_MODEL: "fake-blind",
        });
        expect(result).toMatchObject({ code: 0, stdout: "boat.png\n" });
        const [first, ...others] = flaky.keys.slice(0, 3);
        expect(first).toMatch(/^\S{16,}$/);
        expect(others).toEqual([first, first]);
        const [row] = await stack.database.query<{ jobs: number }>(
          "SELECT count(*)::int AS jobs FROM generation WHERE account_id = $1",
          [own.accountId],
        );
        expect(row?.jobs).toBe(1);
      } finally {
        await flaky.stop();
      }
    },
  );
});

describe("the examples in the texts of the skills", { concurrent: true, timeout: 120_000 }, () => {
  const shellBlocks = (markdown: string) =>
    [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block);

  /** The files that the examples name. */
  async function addExampleFiles(folder: string): Promise<void> {
    const create = { width: 64, height: 48, channels: 3 as const };
    await sharp({ create: { ...create, background: "#2b4c7e" } }).toFile(join(folder, "bay.png"));
    await sharp({ create: { ...create, background: "#fff" } }).toFile(join(folder, "mask.png"));
    await writeFile(join(folder, "orders.mmd"), "flowchart TD\n  A[Order] --> B[Ship]\n");
  }

  it.each(["image-generation", "image-editing", "graphics", "diagrams"])(
    "of %s work as they are written",
    async (slug) => {
      const own = await stack.createAccount();
      const folder = await skill(slug, own);
      await addExampleFiles(folder);
      for (const block of shellBlocks(await readFile(join(folder, "SKILL.md"), "utf8"))) {
        expect(await runIn(folder, ["sh", "-ec", block])).toMatchObject({ code: 0 });
      }
      const { text: guide } = await download(stack, own, slug, "agents-md");
      let uploadId = "";
      let jobId = "";
      const blocks = shellBlocks(guide);
      expect(blocks.length).toBeGreaterThan(0);
      for (const block of blocks) {
        const command = block.replaceAll("<id>", uploadId).replaceAll("<job id>", jobId);
        const { stdout } = await runIn(folder, ["sh", "-ec", command]);
        const answer = JSON.parse(stdout) as { id: string; image_url?: string };
        expect(answer).not.toHaveProperty("error");
        if (answer.image_url === undefined) uploadId = answer.id;
        else jobId = answer.id;
      }
    },
  );
});

it("cover every script of every skill", () => {
  const scripts = slugs.flatMap((slug) => [
    `${slug}.sh`,
    ...readdirSync(join(templatesFolder, slug, "scripts")),
  ]);
  expect([...succeeded].toSorted()).toEqual(scripts.toSorted());
});

/**
 * Starts a proxy that simulates faults: it responds to the first request with 503 and to the fourth
 * with 502, and forwards the second without returning its response. It forwards all others unchanged,
 * and records every idempotency key.
 */
async function startFlakyService() {
  const keys: unknown[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    keys.push(request.headers["idempotency-key"]);
    const body = await text(request);
    if (keys.length === 1) {
      const error = { error: "overloaded", message: "later", request_id: "1", details: null };
      response.writeHead(503, { "Retry-After": "1" }).end(JSON.stringify(error));
      return;
    }
    if (keys.length === 4) return void response.writeHead(502).end("<h1>Bad Gateway</h1>");
    const headers = new Headers();
    for (const name of ["authorization", "content-type", "idempotency-key", "prefer"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const method = request.method ?? "GET";
    const passedOn = { method, headers, ...(body === "" ? {} : { body }) };
    const answer = await fetch(`${stack.url}${request.url}`, passedOn);
    const answered = await answer.text();
    if (keys.length === 2) request.socket.destroy();
    else response.writeHead(answer.status).end(answered);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
