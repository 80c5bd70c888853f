import type { CDPSession, Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser, type Studio } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

interface ShownJob {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly result: { readonly width: number; readonly height: number };
}

const operation = (page: Page, name: string) =>
  page.getByRole("group", { name: "What to do" }).getByRole("radio", { name, exact: true });
const handle = (page: Page, name: string) => page.getByRole("slider", { name, exact: true });
const drawing = (page: Page) => page.getByRole("application", { name: "Drawing area" });

async function makeImage(account: TestAccount): Promise<string> {
  const response = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "a boat on a lake",
  });
  return ((await response.json()) as { id: string }).id;
}

async function readJob(account: TestAccount, id: string | null): Promise<ShownJob> {
  return (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as ShownJob;
}

/** The job that is made by the form, once it is shown. */
async function makeChange(page: Page, account: TestAccount, from: string): Promise<ShownJob> {
  await page.keyboard.press("Control+Enter");
  await page.waitForURL((url) => ![null, from].includes(url.searchParams.get("job")));
  await page.locator("#stage figure").nth(1).waitFor();
  return readJob(account, new URL(page.url()).searchParams.get("job"));
}

/** Reaches a control by the Tab key alone. */
async function tabTo(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate(() => {
        const { activeElement: focused } = document;
        return focused?.getAttribute("aria-label") ?? focused?.textContent?.trim();
      });
    })
    .toBe(name);
}

async function openEditor({ page }: Pick<Studio, "page">): Promise<{
  readonly x: number;
  readonly y: number;
  readonly width: number;
}> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("button", { name: "Choose area" }).click();
  await drawing(page).waitFor();
  const box = await drawing(page).boundingBox();
  if (box === null) throw new Error("the drawing area is not visible");
  return box;
}

/** The parts of the canvas that are marked, at points given as parts of its sides. */
function marksAt(page: Page, points: readonly (readonly [number, number])[]): Promise<boolean[]> {
  return drawing(page).evaluate((canvas: HTMLCanvasElement, all) => {
    const copy = document.createElement("canvas");
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context?.drawImage(canvas, 0, 0);
    return all.map(([x, y]) => {
      const at = [Math.round(x * (canvas.width - 1)), Math.round(y * (canvas.height - 1))] as const;
      return (context?.getImageData(...at, 1, 1).data[3] ?? 0) > 127;
    });
  }, points);
}

/** Two fingers that move apart, as a screen reports them. */
async function pinch(session: CDPSession, centre: { x: number; y: number }): Promise<void> {
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", offsets: readonly number[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: offsets.map((offset, id) => ({ x: centre.x + offset, y: centre.y, id })),
    });
  await touch("touchStart", [-20]);
  await touch("touchStart", [-20, 20]);
  await touch("touchMove", [-40, 40]);
  await touch("touchMove", [-80, 80]);
  await touch("touchEnd", []);
}

describe.skipIf(!hasBrowser)("the canvas of changes", () => {
  const open = useBrowser();

  it("extends a picture by dragging its edges, and shows the size of the result", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    await page.locator("#stage figure").waitFor();
    await operation(page, "Extend").check();
    await page.getByText("Result: 1536 × 1024 pixels").waitFor();
    await expectAccessible(studio);
    const box = await handle(page, "Top edge").boundingBox();
    if (box === null) throw new Error("the edge is not visible");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 20, { steps: 4 });
    await page.mouse.up();
    const added = Number(await handle(page, "Top edge").getAttribute("aria-valuenow"));
    expect(added).toBeGreaterThan(50);
    await page.getByText(`Result: 1536 × ${1_024 + added} pixels`).waitFor();
    await page.getByText("Exact pixels").click();
    await expect.poll(() => page.getByLabel("Above (px)").inputValue()).toBe(String(added));
    const { request, result } = await makeChange(page, account, id);
    expect(request).toMatchObject({ top: added, left: 256, right: 256 });
    expect(result).toMatchObject({ width: 1_536, height: 1_024 + added });
  });

  it("extends a picture by the keyboard alone, within the limits of the service", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}`, viewport: narrow });
    const { page } = studio;
    await page.locator("#stage figure").waitFor();
    await operation(page, "Extend").press("Space");
    await handle(page, "Left edge").waitFor();
    await operation(page, "Extend").focus();
    await tabTo(page, "Top edge");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => handle(page, "Top edge").getAttribute("aria-valuetext"))
      .toBe("72 pixels added");
    await page.keyboard.press("Home");
    await tabTo(page, "Right edge");
    await page.keyboard.press("End");
    await page.getByText("Result: 9472 × 1024 pixels").waitFor();
    await page.keyboard.press("Home");
    await tabTo(page, "Left edge");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => handle(page, "Left edge").getAttribute("aria-valuenow")).toBe("264");
    await expectAccessible(studio);
    const { request, result } = await makeChange(page, account, id);
    expect(request).toMatchObject({ left: 264 });
    expect(result).toMatchObject({ width: 1_288, height: 1_024 });
  });

  it("paints, erases, undoes and redoes by the keyboard alone", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Choose area" }).press("Enter");
    await drawing(page).waitFor();
    await tabTo(page, "Drawing area");
    const { keyboard } = page;
    const middleAndRight = [
      [0.5, 0.5],
      [0.62, 0.5],
      [0.9, 0.5],
    ] as const;
    await keyboard.press("Space");
    await page.getByText("The brush is down.").waitFor({ state: "attached" });
    await keyboard.press("Shift+ArrowRight");
    await keyboard.press("Space");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([true, true, false]);
    await expectAccessible(studio);
    await keyboard.press("Control+z");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([false, false, false]);
    await keyboard.press("Control+Shift+z");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([true, true, false]);
    await keyboard.press("e");
    await keyboard.press("Space");
    await keyboard.press("Space");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([true, false, false]);
    await page.getByRole("button", { name: "Clear" }).press("Enter");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([false, false, false]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await keyboard.press("Control+y");
    await keyboard.press("Control+z");
    await expect.poll(() => marksAt(page, middleAndRight)).toEqual([true, false, false]);
    await page.getByRole("button", { name: "Use this area" }).press("Enter");
    await page.getByText("Only the marked area changes.").waitFor();
  });

  it("zooms by wheel, keys and two fingers, and paints where the pointer is", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    const whole = await openEditor(studio);
    const widthOf = async () => Math.round((await drawing(page).boundingBox())?.width ?? 0);
    const corner = { x: whole.x + whole.width * 0.25, y: whole.y + whole.width * 0.25 };
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.wheel(0, -600);
    await expect.poll(widthOf).toBeGreaterThan(whole.width * 2);
    await page.mouse.down();
    await page.mouse.up();
    // The point below the pointer stayed there.
    await expect
      .poll(() =>
        marksAt(page, [
          [0.25, 0.25],
          [0.5, 0.5],
        ]),
      )
      .toEqual([true, false]);
    await page.getByRole("radio", { name: "Move" }).press("Space");
    const before = await drawing(page).boundingBox();
    await page.mouse.down();
    await page.mouse.move(corner.x + 60, corner.y + 30, { steps: 3 });
    await page.mouse.up();
    await expect
      .poll(async () => (await drawing(page).boundingBox())?.x)
      .toBeCloseTo((before?.x ?? 0) + 60, 0);
    await drawing(page).press("0");
    await expect.poll(widthOf).toBe(Math.round(whole.width));
    await drawing(page).press("+");
    await expect.poll(widthOf).toBe(Math.round(whole.width * 1.5));
    await page.getByRole("button", { name: "Show the whole image" }).click();
    await page.getByRole("radio", { name: "Brush" }).press("Space");
    const session = await page.context().newCDPSession(page);
    await pinch(session, { x: whole.x + whole.width / 2, y: whole.y + whole.width / 2 });
    await expect.poll(widthOf).toBeGreaterThan(whole.width * 3);
    // Fingers that zoom do not paint.
    await expect.poll(() => marksAt(page, [[0.5, 0.5]])).toEqual([false]);
  });

  it("shows the changes of a picture as its history, each one click away", async () => {
    const account = await newAccount();
    const original = await makeImage(account);
    const change = async (name: string, body: object) => {
      const response = await callApi(account, "POST", `/v1/generate/${name}`, body);
      return ((await response.json()) as { id: string }).id;
    };
    const edited = await change("edit", {
      model: "builtin-illustrator",
      prompt: "the same boat at night",
      image: { job_id: original },
    });
    const enlarged = await change("upscale", {
      model: "builtin-upscaler",
      image: { job_id: edited },
      factor: 2,
    });
    const studio = await open({ account, path: `/studio/?job=${enlarged}` });
    const { page } = studio;
    const history = page.getByRole("navigation", { name: "History of this image" });
    await history.waitFor();
    await expect
      .poll(() => history.getByRole("link").allTextContents())
      .toEqual(["Original", "Edit", "Upscale"]);
    const shown = () => history.locator("[aria-current=step]").textContent();
    await expect.poll(shown).toBe("Upscale");
    await page.getByText("After", { exact: true }).waitFor();
    await expectAccessible(studio);
    await history.getByRole("link", { name: "Original" }).click();
    await expect.poll(shown).toBe("Original");
    await page.reload();
    await expect.poll(shown).toBe("Original");
    await expect.poll(() => page.locator("#stage figure").count()).toBe(1);
    await history.getByRole("link", { name: "Edit" }).press("Enter");
    await expect.poll(shown).toBe("Edit");
    await expect.poll(() => new URL(page.url()).searchParams.get("job")).toBe(edited);
    await page.getByText("After", { exact: true }).waitFor();
    await history.getByRole("link", { name: "Upscale" }).click();
    await page.waitForURL(`**/?job=${enlarged}`);
    // An image that was opened elsewhere knows the changes that were made of it lately.
    await page.goto(page.url().replace(enlarged, original));
    await expect.poll(shown).toBe("Original");
    await expect.poll(() => history.getByRole("link").count()).toBe(3);
  });

  it("shows the other changes of the pictures of a history", async () => {
    const account = await newAccount();
    const original = await makeImage(account);
    const change = async (name: string, body: object) => {
      const response = await callApi(account, "POST", `/v1/generate/${name}`, body);
      return ((await response.json()) as { id: string }).id;
    };
    const image = { job_id: original };
    const traced = await change("vectorize", { model: "builtin-tracer", image });
    const enlarged = await change("upscale", { model: "builtin-upscaler", image, factor: 2 });
    const studio = await open({ account, path: `/studio/?job=${enlarged}` });
    const { page } = studio;
    const others = page.getByRole("list", { name: "Other changes of these images" });
    await others.waitFor();
    await expect.poll(() => others.getByRole("link").allTextContents()).toEqual(["Trace"]);
    await expectAccessible(studio);
    await others.getByRole("link", { name: "Trace" }).click();
    await page.waitForURL(`**/?job=${traced}`);
    await others.getByRole("link", { name: "Upscale" }).click();
    await page.waitForURL(`**/?job=${enlarged}`);
  });

  it("begins with the first margins when another picture is chosen to extend", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await page.locator("#stage figure").waitFor();
    await operation(page, "Extend").check();
    await handle(page, "Right edge").press("End");
    await page.getByText("Result: 9472 × 1024 pixels").waitFor();
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Replace image" }).click();
    const background = { width: 300, height: 200, channels: 3, background: "#335577" } as const;
    const buffer = await sharp({ create: background }).png().toBuffer();
    await (await choosing).setFiles({ name: "sea.png", mimeType: "image/png", buffer });
    await page.getByText("Result: 812 × 200 pixels").waitFor();
    await expect.poll(() => handle(page, "Right edge").getAttribute("aria-valuenow")).toBe("256");
    await handle(page, "Right edge").focus();
    const { request, result } = await makeChange(page, account, id);
    expect(request).toMatchObject({
      left: 256,
      right: 256,
      image: { upload_id: expect.any(String) },
    });
    expect(result).toMatchObject({ width: 812, height: 200 });
  });

  it("finds a changed picture in the library by the words of the one before", async () => {
    const account = await newAccount();
    const original = await makeImage(account);
    await callApi(account, "POST", "/v1/generate/upscale", {
      model: "builtin-upscaler",
      image: { job_id: original },
      factor: 2,
    });
    const studio = await open({ account, path: "/studio/library" });
    const { page } = studio;
    const changed = page.getByText("Upscaled image: a boat on a lake");
    await page.getByLabel("Search").fill("lake");
    await expect.poll(() => changed.count()).toBeGreaterThan(0);
    await page.getByLabel("Search").fill("meadow");
    await expect.poll(() => changed.count()).toBe(0);
  });

  it("is legible in every look, in German and at 200 %", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const zoomed = { name: "zoomed", viewport: { width: 720, height: 450 }, colorScheme: "light" };
    for (const { viewport, colorScheme } of [...looks.slice(1), zoomed]) {
      const studio = await open({
        account,
        path: `/studio/?job=${id}`,
        viewport,
        colorScheme: colorScheme as "light" | "dark",
        locale: "de-DE",
      });
      const { page } = studio;
      await page.locator("#stage figure").waitFor();
      await page.getByRole("radio", { name: "Erweitern", exact: true }).check();
      await page.getByRole("slider", { name: "Linker Rand" }).waitFor();
      await expectAccessible(studio);
      await page.getByRole("radio", { name: "Bearbeiten", exact: true }).check();
      await page.getByRole("button", { name: "Bereich wählen" }).click();
      await page.getByRole("application", { name: "Zeichenfläche" }).waitFor();
      await expectAccessible(studio);
      await page.getByRole("button", { name: "Diesen Bereich verwenden" }).scrollIntoViewIfNeeded();
    }
  });
});
