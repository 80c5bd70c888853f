import { once } from "node:events";
import { readdirSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import {
  createDevelopmentCertificates,
  createMarker,
  verifyProvenance,
  type MarkRequest,
} from "@atelier/provenance";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
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

/** The scripts that were run to their end, by the names of their files. */
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

/** The folder of a skill, with an account's key in it. */
async function skill(slug: string, of: TestAccount): Promise<string> {
  return install(directory, await download(stack, of, slug, "agent-skill"), slug);
}

/** The shell script of a skill, with an account's key in it. */
async function shellScript(slug: string, of: TestAccount): Promise<string> {
  return installShellScript(directory, await download(stack, of, slug, "curl"));
}

describe("the scripts of the skills", { concurrent: true, timeout: 120_000 }, () => {
  it("make an image, tell where it comes from, and save it again", async () => {
    const own = await stack.createAccount();
    const folder = await skill("image-generation", own);
    const command = [node, "scripts/generate-image.mjs", "A red boat at sunset"];
    const options = ["--model", "builtin-illustrator", "--aspect-ratio", "16:9"];
    options.push("--idempotency-key", "boat");
    const file = join(directory, "boat.webp");
    const made = await run(folder, [...command, ...options, "-o", file]);
    expect(made).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(made.stderr).toMatch(/completed\ncost 0\.01 EUR, balance \d+\.\d+ EUR\n$/);
    const [, jobId = ""] = /^job (\S+)$/m.exec(made.stderr) ?? [];
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
      says_ai_generated: false,
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

  it("tell how a file was made as its own manifest does, whatever went into it", async () => {
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
        const { digitalSourceType, aiGenerated } = await verifyProvenance(bytes, trust);
        expect(JSON.parse(stdout)).toMatchObject({
          source_type: digitalSourceType?.split("/").at(-1),
          says_ai_generated: aiGenerated,
        });
        expect(aiGenerated).toBe(!procedural);
      }
    }
    await writeFile(join(checks, "plain.png"), image.bytes);
    const plain = await run(checks, [node, "scripts/check-provenance.mjs", "plain.png"]);
    expect(JSON.parse(plain.stdout)).toMatchObject({ source_type: null, says_ai_generated: null });
  });

  it("make a story, and tell how far it is", async () => {
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

  it("do the same with a shell and curl", async () => {
    const own = await stack.createAccount();
    const image = await shellScript("image-generation", own);
    const prompt = 'A boat called "Gull", \\o/\nby night';
    const folder = dirname(image);
    const settings = { ATELIER_MODEL: "builtin-illustrator", ASPECT_RATIO: "16:9" };
    const made = await run(folder, ["sh", image, prompt, "gull.png"], settings);
    expect(made).toMatchObject({ code: 0, stdout: "gull.png\n" });
    expect(made.stderr).toMatch(/completed\ncost 0\.01 EUR, balance \d+\.\d+ EUR\n$/);
    const [, jobId = ""] = /^job (\S+): completed$/m.exec(made.stderr) ?? [];
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
    const saved = await run(folder, ["sh", history, jobId, "again"]);
    expect(saved).toMatchObject({ code: 0, stdout: `again/${jobId}-1.png\n` });
    expect((await run(folder, ["sh", history])).stdout).toContain(jobId);

    const story = await shellScript("story-generation", own);
    const told = await run(folder, ["sh", story, "", "scenes"], {
      ATELIER_MODEL: "fake-blind",
    });
    expect(told).toMatchObject({ code: 0, stdout: "scenes/scene-1.png\nscenes/scene-2.png\n" });
    expect(told.stderr).toContain("completed, scene 2\n");
    expect((await sharp(join(folder, "scenes/scene-2.png")).metadata()).format).toBe("png");
  });

  it("say what to do about every kind of error, and show it by their exit code", async () => {
    const poor = await stack.createAccount("0");
    const folder = await skill("image-generation", poor);
    const shell = await shellScript("image-generation", poor);
    // Refused by the worker, once there is a job.
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
      // Asked again, they tell how those jobs ended, and do not try in vain.
      ...refused,
      [[...script, "A boat"], {}, 4, "insufficient_credit"],
      [[...script, "A boat"], wrongKey, 3, "unauthorized"],
      [[...script, "A boat", "--model", "nothing"], {}, 2, "model_not_found"],
      [[...script, "A boat", "--aspect-ratio", "wide"], {}, 2, "invalid_request"],
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

  it("refuse a format that there is not, or that the file contradicts, before they ask for anything", async () => {
    // Nobody is there: what asks for anything ends with 6.
    const environment = { ATELIER_URL: "http://127.0.0.1:1" };
    const own = await stack.createAccount();
    const image = join(await skill("image-generation", own), "scripts/generate-image.mjs");
    const story = await skill("story-generation", own);
    const storyScript = join(story, "scripts/generate-story.mjs");
    const storyFile = join(story, "assets/story.json");
    const jobs = join(await skill("job-history", own), "scripts/jobs.mjs");
    const shell = await shellScript("image-generation", own);
    const unknown = /^There is no format "(gif|constructor)": use png, jpeg or webp\.\n$/;
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

  it("tell a setting that cannot be sent at once, without the key", async () => {
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

  it("take no empty id for a job", async () => {
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

it("are all there are: no script of any skill is left out", () => {
  const scripts = slugs.flatMap((slug) => [
    `${slug}.sh`,
    ...readdirSync(join(templatesFolder, slug, "scripts")),
  ]);
  expect([...succeeded].toSorted()).toEqual(scripts.toSorted());
});

/**
 * Stands before the service, and is overloaded the first time; the second time it passes the request
 * on, and the answer is lost. After the third a gateway before it fails once. Then it passes everything
 * on, and notes each idempotency key.
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
