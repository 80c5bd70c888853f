import { Buffer } from "node:buffer";
import type { UploadResponse } from "@atelier/schemas";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, takePicture, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

interface ShownJob {
  readonly status: string;
  readonly request: Record<string, unknown>;
  readonly result: { readonly formats: { readonly png: { readonly url: string } } };
}

async function shownJob(page: Page, account: TestAccount): Promise<ShownJob> {
  const id = new URL(page.url()).searchParams.get("job");
  return (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as ShownJob;
}

async function pixelsOf(
  file: Blob | Buffer,
): Promise<{ width: number; height: number; data: Buffer }> {
  const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : file;
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Makes a small image with the API and opens it. */
async function makeImage(account: TestAccount): Promise<string> {
  const response = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "a boat on a lake",
    aspect_ratio: "4:3",
  });
  return ((await response.json()) as { id: string }).id;
}

describe.skipIf(!hasBrowser)("references of the Create page", () => {
  const open = useBrowser();

  it("uploads a file, shows it with its description, and sends it with the request", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    const { page } = studio;
    const bytes = await sharp({
      create: { width: 64, height: 48, channels: 3, background: "#2f6f4f" },
    })
      .png()
      .toBuffer();
    await page.getByLabel("Prompt", { exact: true }).fill("a boat in this harbour");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Add reference" }).click(),
    ]);
    await chooser.setFiles({ name: "old-harbour.png", mimeType: "image/png", buffer: bytes });
    const description = page.getByLabel("What reference 1 shows");
    await expect.poll(() => description.inputValue()).toBe("old harbour");
    await description.fill("the harbour, seen from the sea");
    await expectAccessible(studio);

    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
    const { request } = await shownJob(page, account);
    expect(request["reference_images"]).toMatchObject([
      { description: "the harbour, seen from the sea", upload_id: expect.any(String) },
    ]);
    await page.getByRole("button", { name: "Remove reference 1" }).click();
    await description.waitFor({ state: "detached" });
  });

  it("takes pasted and dropped files, and names a file that is no image", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Add reference" }).waitFor();
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#a33" } })
      .png()
      .toBuffer();
    for (const type of ["paste", "drop"] as const) {
      await page.evaluate(
        ([kind, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], `${kind}.png`, { type: "image/png" }));
          const event =
            kind === "paste"
              ? new ClipboardEvent("paste", {
                  clipboardData: data,
                  bubbles: true,
                  cancelable: true,
                })
              : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
          document.body.dispatchEvent(event);
        },
        [type, png.toString("base64")] as const,
      );
    }
    await page.getByLabel("What reference 2 shows").waitFor();
    await page.locator("input[type=file]").setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("no image"),
    });
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("notes.txt");
  });

  it("uses a result as a reference of the next image", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await page.getByRole("button", { name: "Use as reference" }).click();
    await expect
      .poll(() => page.getByLabel("What reference 1 shows").inputValue())
      .toBe("a boat on a lake");
    await page.getByLabel("Prompt", { exact: true }).fill("the same boat at night");
    await page.keyboard.press("Control+Enter");
    await page
      .getByRole("button", { name: /at night/ })
      .first()
      .waitFor();
    const { request } = await shownJob(page, account);
    expect(request["reference_images"]).toMatchObject([{ job_id: id }]);
  });

  it("edits only the area that was marked with the brush", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    const before = (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as ShownJob;
    const original = await pixelsOf(await (await fetch(before.result.formats.png.url)).blob());

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "Choose area" }).click();
    const canvas = page.locator("canvas");
    const box = await canvas.boundingBox();
    if (box === null) throw new Error("the canvas is not visible");
    await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.2, { steps: 4 });
    await page.mouse.up();
    await expectAccessible(studio);
    await takePicture(studio, "edit-mask-wide-light");
    await page.getByRole("button", { name: "Use this area" }).click();
    await page.getByText("Only the marked area changes.").waitFor();
    await page.getByLabel("What to change").fill("a red balloon");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Show in full size: a red balloon" }).waitFor();

    const after = await shownJob(page, account);
    expect(after.request).toMatchObject({ image: { job_id: id } });
    const { upload_id: maskId } = after.request["mask"] as { upload_id: string };
    const upload = (await (
      await callApi(account, "GET", `/v1/uploads/${maskId}`)
    ).json()) as UploadResponse;
    expect([upload.width, upload.height]).toEqual([original.width, original.height]);
    const mask = await pixelsOf(await (await fetch(upload.url)).blob());
    const edited = await pixelsOf(await (await fetch(after.result.formats.png.url)).blob());
    const at = (x: number, y: number) =>
      3 * (Math.round(x * (mask.width - 1)) + Math.round(y * (mask.height - 1)) * mask.width);
    expect(mask.data[at(0.2, 0.2)]).toBe(255);
    expect(mask.data[at(0.8, 0.8)]).toBe(0);
    expect([edited.width, edited.height]).toEqual([original.width, original.height]);
  });

  it("marks, erases, inverts and undoes with the keyboard alone", async () => {
    const account = await newAccount();
    const id = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Choose area" }).press("Enter");
    await page.locator("canvas").waitFor();
    await page.getByRole("button", { name: "Use this area" }).press("Enter");
    await page.getByText("Nothing is marked").waitFor();

    await page.getByText("Rectangle by numbers").press("Enter");
    for (const [name, value] of [
      ["Left", "0"],
      ["Top", "0"],
      ["Width", "100"],
      ["Height", "50"],
    ] as const) {
      await page.getByLabel(`${name} (px)`).fill(value);
    }
    await page.getByRole("button", { name: "Mark rectangle" }).press("Enter");
    await page.getByRole("button", { name: "Invert" }).press("Enter");
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByRole("button", { name: "Redo" }).press("Enter");
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByRole("radio", { name: "Eraser" }).press("Space");
    await page.getByLabel("Width (px)").fill("50");
    await page.getByRole("button", { name: "Erase rectangle" }).press("Enter");
    await page.getByRole("button", { name: "Use this area" }).press("Enter");
    await page.getByText("Only the marked area changes.").waitFor();

    const [row] = await openDatabase().query<{ id: string }>(
      "SELECT id FROM upload WHERE account_id = $1",
      [account.accountId],
    );
    const upload = (await (
      await callApi(account, "GET", `/v1/uploads/${row?.id}`)
    ).json()) as UploadResponse;
    const { data, width } = await pixelsOf(await (await fetch(upload.url)).blob());
    const red = (x: number, y: number) => data[3 * (x + y * width)];
    expect([red(25, 25), red(75, 25), red(75, 75), red(150, 25)]).toEqual([0, 255, 0, 0]);
  });
});
