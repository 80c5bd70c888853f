import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import type { FormOperation } from "../../src/pages/create/changes.ts";
import { callApi, newAccount, type TestAccount } from "./accounts.ts";
import { pierStory } from "./stories.ts";

/** The ways in which the response to a request is lost before the request is sent again. */
export const losses = ["same page", "reload", "other tab", "killed browser"] as const;
export type Loss = (typeof losses)[number];

/** An action of Studio that costs money. */
export interface ChargedAction {
  readonly name: string;
  /** The file that sends its request, below `src`. */
  readonly site: string;
  /** The loss that the gate tests; the full lane tests all. */
  readonly inGate: Loss;
  /** The number of jobs of one click. */
  readonly jobs: number;
  /** Makes what the action needs. Called once for each test. */
  readonly prepare: () => Promise<{ readonly account: TestAccount; readonly path: string }>;
  /** Fills in the form, up to its last click. */
  readonly fill: (page: Page, text: string) => Promise<void>;
  /** Whether the browser keeps the form, also when it is killed. */
  readonly isKept: boolean;
  /** The button whose click sends the request. */
  readonly button: (page: Page) => Locator;
  /** Waits until the page shows that the request was accepted. */
  readonly wait: (page: Page) => Promise<void>;
}

const path = (id: string) => `/studio/stories/${id}`;

async function send(account: TestAccount, endpoint: string, body: object): Promise<string> {
  const response = await callApi(account, "POST", `/v1/generate/${endpoint}`, body);
  expect(response.status).toBeLessThan(300);
  const { id, job_id = id } = (await response.json()) as { id: string; job_id?: string };
  return job_id;
}

/** Makes a story, and waits for its end. */
async function makeStory(account: TestAccount, body: object): Promise<string> {
  const id = await send(account, "story", body);
  // The stream of its events ends with the job.
  await (await callApi(account, "GET", `/v1/jobs/${id}/events`)).text();
  return id;
}

/** The Create page with an image, which most of its operations change. */
async function prepareImage() {
  const account = await newAccount();
  const id = await send(account, "image", { model: "builtin-pattern", prompt: "a boat" });
  return { account, path: `/studio/?job=${id}` };
}

async function choose(page: Page, operation: string): Promise<void> {
  await page.locator("#stage figure").first().waitFor();
  await page
    .getByRole("group", { name: "What to do" })
    .getByRole("radio", { name: operation, exact: true })
    .check();
}

/** Chooses a file with a shape that can be cut out. */
async function chooseDisc(page: Page): Promise<void> {
  const disc =
    '<svg width="256" height="256"><circle cx="128" cy="128" r="80" fill="#b3261e"/></svg>';
  const background = { width: 256, height: 256, channels: 3, background: "#f4efe6" } as const;
  const image = sharp({ create: background }).composite([{ input: Buffer.from(disc) }]);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Replace image" }).click();
  const buffer = await image.png().toBuffer();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/v1/uploads") && response.ok()),
    (await choosing).setFiles({ name: "disc.png", mimeType: "image/png", buffer }),
  ]);
}

async function markArea(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Mark what to erase" }).click();
  await page.locator("canvas").waitFor();
  await page.getByText("Rectangle by numbers").click();
  await page.getByRole("button", { name: "Mark rectangle" }).click();
  await page.getByRole("button", { name: "Use this area" }).click();
  await page.getByText("The marked area is removed.").waitFor();
}

const writePrompt = (page: Page, text: string) =>
  page.getByLabel("Prompt", { exact: true }).fill(text);

/** The loss in the gate and the steps of each operation of the Create page. */
const operations: Record<FormOperation, [Loss, ChargedAction["fill"]]> = {
  image: ["killed browser", writePrompt],
  edit: [
    "reload",
    async (page, text) => {
      await choose(page, "Edit");
      await page.getByLabel("What to change").fill(text);
    },
  ],
  upscale: ["other tab", (page) => choose(page, "Upscale")],
  "remove-background": [
    "same page",
    async (page) => {
      await choose(page, "Cut out");
      await chooseDisc(page);
    },
  ],
  outpaint: ["killed browser", (page) => choose(page, "Extend")],
  erase: [
    "reload",
    async (page) => {
      await choose(page, "Erase");
      await markArea(page);
    },
  ],
  vectorize: ["other tab", (page) => choose(page, "Trace")],
  variations: ["same page", (page) => choose(page, "Vary")],
};

function inCreate(name: string, inGate: Loss, fill: ChargedAction["fill"]): ChargedAction {
  return {
    name,
    site: "pages/create/create.tsx",
    inGate,
    jobs: 1,
    prepare: prepareImage,
    fill,
    isKept: true,
    button: (page) => page.locator("form button[type=submit]").filter({ hasText: "€" }),
    wait: async (page) => {
      const shown = new URL(page.url()).searchParams.get("job");
      await page.waitForURL((url) => ![null, shown].includes(url.searchParams.get("job")));
    },
  };
}

const scenes = [{ prompt: "Mira walks" }, { prompt: "Mira waves" }];

let finished: ReturnType<typeof finishStory> | undefined;

async function finishStory() {
  const account = await newAccount("100");
  const shown = scenes.map((scene) => ({ ...scene, characters: ["Mira"], location: "Harbour" }));
  return { account, path: path(await makeStory(account, { ...pierStory, scenes: shown })) };
}

/** A dialog on the page of a finished story, which all of them share. */
function inStory(dialog: {
  readonly name: string;
  readonly site: string;
  readonly inGate: Loss;
  /** The button that opens it, the field of its text and its last button. */
  readonly texts: readonly [string, string, string];
}): ChargedAction {
  const [opens, field, action] = dialog.texts;
  return {
    ...dialog,
    jobs: 1,
    prepare: () => (finished ??= finishStory()),
    fill: async (page, text) => {
      await page.getByRole("button", { name: opens, exact: true }).click();
      await page.getByRole("dialog").getByLabel(field).fill(text);
    },
    isKept: false,
    button: (page) => page.getByRole("dialog").getByRole("button", { name: action }),
    wait: (page) => page.getByRole("dialog").waitFor({ state: "detached" }),
  };
}

/** A finished story whose scenes show an older portrait than the one that was chosen. */
async function prepareOutdated() {
  const account = await newAccount();
  const [Mira] = pierStory.characters;
  const cast = { model: pierStory.model, characters: [{ ...Mira, states: undefined }] };
  const shown = scenes.map((scene) => ({ ...scene, characters: ["Mira"] }));
  const id = await makeStory(account, { ...cast, scenes: shown });
  const portrait = await makeStory(account, {
    ...cast,
    cast_only: true,
    metadata: { studio_story: id },
  });
  const book = { cast: [{ portrait: "Mira", job_id: portrait }] };
  await callApi(account, "PATCH", `/v1/jobs/${id}`, { book });
  return { account, path: path(id) };
}

/** The pages of a finished story whose pictures are small in print. */
async function prepareBook() {
  const account = await newAccount();
  return { account, path: `${path(await makeStory(account, { ...pierStory, scenes }))}/pages` };
}

function inPrint(name: string, inGate: Loss, offer: RegExp): ChargedAction {
  return {
    name,
    site: "pages/stories/book/print-dialog.tsx",
    inGate,
    jobs: scenes.length,
    prepare: prepareBook,
    fill: (page) => page.getByRole("button", { name: "Save for print" }).click(),
    isKept: false,
    button: (page) => page.getByRole("dialog").getByRole("button", { name: offer }),
    wait: (page) => page.getByRole("dialog").waitFor({ state: "detached" }),
  };
}

const sceneDialog = "pages/stories/board/scene-dialog.tsx";
const memberDialog = "pages/stories/cast/member-dialog.tsx";

/** All actions of Studio that cost money. */
export const chargedActions: readonly ChargedAction[] = [
  ...Object.entries(operations).map(([operation, [inGate, fill]]) =>
    inCreate(operation, inGate, fill),
  ),
  inCreate("image again, with its seed", "other tab", async (page) => {
    await page.getByRole("button", { name: "Again with this seed" }).click();
  }),
  inCreate("tool of the menu of a picture", "killed browser", async (page) => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Trace" }).click();
  }),
  {
    name: "story",
    site: "pages/stories/builder/builder.tsx",
    inGate: "killed browser",
    jobs: 1,
    prepare: async () => ({ account: await newAccount(), path: "/studio/stories/new" }),
    fill: async (page, text) => {
      await page.getByLabel("Name", { exact: true }).first().fill("Mira");
      await page.getByLabel("Appearance").first().fill("a girl with a green coat");
      await page.getByLabel("What happens").nth(0).fill(text);
      await page.getByLabel("What happens").nth(1).fill("Mira sleeps");
    },
    isKept: true,
    button: (page) => page.getByRole("button", { name: /^Generate story.*€/ }),
    wait: (page) => page.waitForURL(/stories\/[0-9a-f-]{36}$/),
  },
  inStory({
    name: "scene again",
    site: sceneDialog,
    inGate: "killed browser",
    texts: ["Make again: Scene 1", "What happens", "Make this scene again"],
  }),
  inStory({
    name: "added scene",
    site: sceneDialog,
    inGate: "other tab",
    texts: ["Add a scene", "What happens", "Make this scene"],
  }),
  inStory({
    name: "portrait again",
    site: memberDialog,
    inGate: "reload",
    texts: ["Make again: Otto", "Appearance", "Make again"],
  }),
  inStory({
    name: "look again",
    site: memberDialog,
    inGate: "same page",
    texts: ["Make again: Mira, raincoat", "What is different", "Make again"],
  }),
  inStory({
    name: "place again",
    site: memberDialog,
    inGate: "killed browser",
    texts: ["Make again: Harbour", "Appearance", "Make again"],
  }),
  {
    name: "all outdated scenes again",
    site: "pages/stories/board/outdated-notice.tsx",
    inGate: "other tab",
    jobs: scenes.length,
    prepare: prepareOutdated,
    fill: (page) => page.getByText(/older portrait or place\./).waitFor(),
    isKept: true,
    button: (page) => page.getByRole("button", { name: /^Make (it|all).*again · €/ }),
    wait: (page) => page.getByText(/older portrait or place\./).waitFor({ state: "detached" }),
  },
  inPrint(
    "larger pictures for print by upscaling",
    "other tab",
    /^Upscale \d pictures? to 2K for €/,
  ),
  inPrint("larger pictures for print by drawing", "reload", /^Draw \d pictures? again in 2K for €/),
];

/** Functions of Studio through which other files send requests that cost money, by their files. */
const senders: Readonly<Record<string, string>> = {
  "data/submit-once.ts": "submitOnce",
  "pages/create/use-generate.ts": "useGenerate",
  "pages/stories/use-submission.ts": "useSubmission",
  "pages/stories/order-scenes.ts": "beginOrdering",
  "pages/stories/board/scene-form.tsx": "SceneForm",
  "pages/stories/book/use-enlarging.ts": "useEnlarging",
};

/** The files of Studio that send requests that cost money, but for those of `senders`. */
export function findSites(): readonly string[] {
  const sources = join(import.meta.dirname, "../../src");
  const use = new RegExp(`(?:\\b(?:${Object.values(senders).join("|")})\\(|<SceneForm\\b)`);
  return globSync("**/*.{ts,tsx}", { cwd: sources, exclude: ["**/*.test.*"] })
    .filter((file) => !(file in senders) && use.test(readFileSync(join(sources, file), "utf8")))
    .toSorted();
}
