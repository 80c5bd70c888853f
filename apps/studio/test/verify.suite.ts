import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type Stack } from "@atelier/testing";
import { freePorts } from "@atelier/local-services";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectAccessible,
  looks,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

let stack: Stack;
let original: Buffer;
let hash: string;

describe.skipIf(!hasBrowser)("the Verify page", () => {
  const open = useBrowser();
  const openVerify = (look: Partial<(typeof looks)[number]> = {}) =>
    open({ ...look, url: stack.url, account: null, path: "/studio/verify" });

  beforeAll(async () => {
    stack = await startStack({
      postgresUrl: provided().postgresUrl,
      environment: {
        WATERMARK_SECRET: "a watermark secret that is only for tests",
        VERIFICATIONS_PER_MINUTE: "1000",
      },
    });
    const account = await stack.createAccount();
    const response = await stack.request(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "a lighthouse on a rocky coast at sunset, two sailing boats",
      aspect_ratio: "3:2",
    });
    const { image_url: url, image_hash: sha256 } = (await response.json()) as {
      image_url: string;
      image_hash: string;
    };
    hash = sha256;
    original = Buffer.from(await (await fetch(url)).arrayBuffer());
  });
  afterAll(() => stack.stop());

  const choose = ({ page }: Studio, buffer: Buffer, name = "picture.png", mimeType = "image/png") =>
    page.getByLabel(/Drop a picture/).setInputFiles({ name, mimeType, buffer });
  const untilVerdict = ({ page }: Studio, name: string) =>
    page.getByRole("heading", { name }).waitFor();
  /** The layers of the evidence as [name, result]. */
  const layers = ({ page }: Studio) =>
    page
      .getByRole("region", { name: "What this rests on" })
      .getByRole("listitem")
      .evaluateAll((items) =>
        items.map((item) => [
          item.querySelector("h3")?.firstChild?.textContent?.trim(),
          item.lastElementChild?.textContent,
        ]),
      );

  it("is where /verify leads, without signing in", async () => {
    const studio = await open({ url: stack.url, account: null, path: "/verify" });
    await expect.poll(() => new URL(studio.page.url()).pathname).toBe("/studio/verify");
    await studio.page.getByText("PNG, JPEG, WebP, AVIF, GIF or SVG, up to 25 MB").waitFor();
    await studio.page.goto(`${stack.url}/studio/verify/`);
    await studio.page.getByText("PNG, JPEG, WebP, AVIF, GIF or SVG, up to 25 MB").waitFor();
  });

  it.each(looks)("explains each layer of evidence of an original: $name", async (look) => {
    const studio = await openVerify(look);
    await expectAccessible(studio);
    await takePicture(studio, `verify-empty-${look.name}`);
    await choose(studio, original);
    await untilVerdict(studio, "Made here");
    await expectAccessible(studio);
    await takePicture(studio, `verify-original-${look.name}`);
    await expect
      .poll(() => layers(studio))
      .toEqual([
        ["Statement in the file", "Found"],
        ["Signature of the statement", "Found"],
        ["Hidden mark in the pixels", "Found"],
        ["This exact file in the registry", "Found"],
        ["A picture that looks the same in the registry", "Found"],
        ["Note without a signature", "Found"],
      ]);
    await studio.page.getByText("This service trusts the signer").waitFor();
    await expect.poll(() => studio.page.getByText(/may differ from the original/).count()).toBe(0);
    await studio.page.getByText("Technical details").click();
    await studio.page.getByText("builtin-illustrator").waitFor();
    await expectAccessible(studio);
  });

  it("recognises a smaller, re-encoded copy by its watermark", async () => {
    const studio = await openVerify();
    const copy = await sharp(original).resize(900).jpeg({ quality: 70 }).toBuffer();
    await choose(studio, copy, "copy.jpg", "image/jpeg");
    await untilVerdict(studio, "Made here");
    await studio.page.getByText("This is a copy, not the file that was delivered").waitFor();
    const found = new Map((await layers(studio)) as [string, string][]);
    expect(found.get("Hidden mark in the pixels")).toBe("Found");
    expect(found.get("Statement in the file")).toBe("Not found");
    expect(found.get("This exact file in the registry")).toBe("Not found");
  });

  const cropOf = async (picture: Buffer) => {
    const { width, height } = await sharp(picture).metadata();
    return sharp(picture)
      .extract({
        left: Math.round(width * 0.12),
        top: Math.round(height * 0.12),
        width: Math.round(width * 0.76),
        height: Math.round(height * 0.76),
      })
      .png()
      .toBuffer();
  };

  it("recognises a crop by the small picture that is kept, and offers a label", async () => {
    const studio = await openVerify();
    await choose(studio, await cropOf(original));
    await untilVerdict(studio, "Made here");
    const snippet = studio.page.getByRole("region", { name: "Label for a web page" });
    await expect.poll(() => snippet.innerText()).toContain(`src="${stack.url}/label.js"`);
    await expectAccessible(studio);
  });

  it("says of a crop that only a mark was found if no picture is kept", async () => {
    const renders = await stack.database.query<{ id: string; attempt: number }>(
      `UPDATE mark SET dossier_attempt = NULL
         FROM mark AS before WHERE before.render_id = mark.render_id
       RETURNING mark.render_id AS id, before.dossier_attempt AS attempt`,
    );
    const studio = await openVerify();
    await choose(studio, await cropOf(original));
    await untilVerdict(studio, "A mark was found");
    await studio.page.getByText("Ask the sender for the original file").waitFor();
    await expectAccessible(studio);
    for (const { id, attempt } of renders) {
      await stack.database.query("UPDATE mark SET dossier_attempt = $2 WHERE render_id = $1", [
        id,
        attempt,
      ]);
    }
  });

  it("warns of a mark that was copied from another picture", async () => {
    const account = await stack.createAccount();
    const prompt = "a bowl of fruit on a table";
    const body = { model: "builtin-illustrator", prompt };
    const response = await stack.request(account, "POST", "/v1/generate/image", body);
    const { image_url: url } = (await response.json()) as { image_url: string };
    const other = Buffer.from(await (await fetch(url)).arrayBuffer());
    // Its mark now leads to the record of the first picture.
    const [record] = await stack.database.query<{ id: string; mark: string }>(
      `SELECT render_id AS id, watermark_id AS mark FROM mark ORDER BY created_at LIMIT 1`,
    );
    const [moved] = await stack.database.query<{ mark: string }>(
      `WITH latest AS (SELECT render_id, watermark_id FROM mark ORDER BY created_at DESC LIMIT 1)
       UPDATE mark SET watermark_id = NULL FROM latest
        WHERE mark.render_id = latest.render_id RETURNING latest.watermark_id AS mark`,
    );
    const setMark = (mark: string | undefined) =>
      stack.database.query("UPDATE mark SET watermark_id = $2 WHERE render_id = $1", [
        record?.id,
        mark,
      ]);
    await setMark(moved?.mark);
    const studio = await openVerify();
    await choose(studio, await cropOf(other));
    await untilVerdict(studio, "The mark was copied");
    await studio.page
      .getByText("The picture of this service that the mark was copied from")
      .waitFor();
    await expectAccessible(studio);
    await setMark(record?.mark);
  });

  it("serves a label for pages of others, in their language", async () => {
    const studio = await openVerify();
    await studio.page.route(`${stack.url}/article`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<html lang="de-AT"><body><script type="module" src="${stack.url}/label.js"></script>
          <atelier-label></atelier-label><p lang="fr"><atelier-label></atelier-label></p>
          <atelier-label lang="mt" href="https://example.com/check"></atelier-label></body></html>`,
      }),
    );
    await studio.page.goto(`${stack.url}/article`);
    const labels = studio.page.getByRole("note");
    await labels.nth(2).waitFor();
    await expect
      .poll(() => labels.allInnerTexts())
      .toEqual([
        "Dieses Bild wurde künstlich erzeugt oder manipuliert. Bild prüfen",
        "Cette image a été générée ou manipulée par une IA. Vérifier l’image",
        "This image has been artificially generated or manipulated. Verify the image",
      ]);
    const links = studio.page.getByRole("link");
    await expect.poll(() => links.first().getAttribute("href")).toBe(`${stack.url}/verify`);
    await expect.poll(() => links.last().getAttribute("href")).toBe("https://example.com/check");
  });

  it("says of a changed file that its statement is broken", async () => {
    const studio = await openVerify();
    const changed = Buffer.from(original);
    const at = changed.length - 20;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await choose(studio, changed);
    await studio.page.getByText("the picture or the statement was changed").waitFor();
    expect((await layers(studio)).slice(0, 2)).toEqual([
      ["Statement in the file", "Broken"],
      ["Signature of the statement", "Broken"],
    ]);
    await expectAccessible(studio);
  });

  it("calls a foreign picture inconclusive, and never made without AI", async () => {
    const studio = await openVerify();
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const foreign = await sharp({
      create: { width: 320, height: 240, channels: 3, background: "#456", noise },
    })
      .png()
      .toBuffer();
    await choose(studio, foreign);
    await untilVerdict(studio, "Nothing found: inconclusive");
    await studio.page.getByText("That says nothing about how the picture was made").waitFor();
    const text = (await studio.page.locator("main").textContent()) ?? "";
    expect(text).not.toMatch(/not (AI|made by AI|generated)|authentic|real photo|no AI/i);
    await expectAccessible(studio);
    await takePicture(studio, "verify-inconclusive");
    await studio.page.getByRole("button", { name: "Check another picture" }).click();
    await studio.page.getByText("Drop a picture here").waitFor();
  });

  it("takes a dropped and a pasted picture", async () => {
    const studio = await openVerify();
    const transfer = await studio.page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "fox.png", { type: "image/png" }));
        return data;
      },
      [...original],
    );
    // Beside the zone as well, where the browser would open the file in place of the page.
    for (const target of [/Drop a picture/, "SHA-256 of a file"]) {
      await studio.page.getByLabel(target).dispatchEvent("drop", { dataTransfer: transfer });
      await untilVerdict(studio, "Made here");
      await studio.page.getByRole("button", { name: "Check another picture" }).click();
    }
    await studio.page.evaluate(
      (data) => dispatchEvent(new ClipboardEvent("paste", { clipboardData: data })),
      transfer,
    );
    await untilVerdict(studio, "Made here");
    await expect
      .poll(() =>
        studio.page
          .getByAltText("The picture that was checked")
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0);
  });

  it("looks up a hash, written in capitals and with spaces", async () => {
    const studio = await openVerify();
    const field = studio.page.getByLabel("SHA-256 of a file");
    await field.fill("deadbeef");
    await field.press("Enter");
    await studio.page.getByText("Enter the 64 digits").waitFor();
    await expectAccessible(studio);
    await field.fill(` ${hash.toUpperCase().slice(0, 32)} ${hash.slice(32)} `);
    await field.press("Enter");
    await untilVerdict(studio, "Made here");
    await expect
      .poll(() => layers(studio))
      .toContainEqual(["This exact file in the registry", "Found"]);
    await expect
      .poll(() => layers(studio))
      .toContainEqual(["Statement in the file", "Not checked"]);
    await expectAccessible(studio);
    await studio.page.getByRole("button", { name: "Check another picture" }).click();
    await studio.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    }, hash);
    await untilVerdict(studio, "Made here");
    await studio.page.goto(`${stack.url}/studio/verify?sha256=${"0".repeat(64)}`);
    await untilVerdict(studio, "Nothing found: inconclusive");
  });

  it("refuses a file above 25 MB before it is sent", async () => {
    const studio = await openVerify();
    const sent: string[] = [];
    studio.page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const directory = await mkdtemp(join(tmpdir(), "atelier-large-"));
    const path = join(directory, "large.png");
    await writeFile(path, Buffer.alloc(25 * 1_048_576 + 1));
    await studio.page.getByLabel(/Drop a picture/).setInputFiles(path);
    await studio.page.getByText("Choose a file of at most 25 MB").waitFor();
    expect(sent).toEqual([]);
    await expectAccessible(studio);
    await rm(directory, { recursive: true });
  });

  it.each([
    ["an empty file", Buffer.alloc(0), "This file is empty."],
    [
      "a HEIC picture",
      Buffer.from("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic"),
      "This is a HEIC picture",
    ],
    ["a damaged picture", Buffer.from("89504e470d0a1a0a0000000d", "hex"), "The file is damaged"],
  ])("says of %s what is wrong with it, not that nothing was found", async (_, file, message) => {
    const studio = await openVerify();
    studio.allow(/status of 422/);
    await choose(studio, file);
    await studio.page.getByText(message).waitFor();
    await expectAccessible(studio);
    await choose(studio, original);
    await untilVerdict(studio, "Made here");
  });

  it("describes a hash of the wrong length in the address", async () => {
    const studio = await open({
      url: stack.url,
      account: null,
      path: "/studio/verify?sha256=deadbeef",
    });
    await studio.page.getByText("Enter the 64 digits").waitFor();
    await expect
      .poll(() => studio.page.getByLabel("SHA-256 of a file").inputValue())
      .toBe("deadbeef");
  });

  it("says that a text is no picture", async () => {
    const studio = await openVerify();
    studio.allow(/status of 4(15|22)/);
    for (const type of ["text/plain", "image/png"]) {
      await choose(studio, Buffer.from("no picture"), "notes.txt", type);
      await studio.page
        .getByText("This is not a PNG, JPEG, WebP, AVIF, GIF or SVG picture")
        .waitFor();
    }
    await expectAccessible(studio);
  });

  it("says when to try again after too many checks", async () => {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const url = `http://127.0.0.1:${port}`;
    const api = await stack.startApi({
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      PUBLIC_URL: url,
      VERIFICATIONS_PER_MINUTE: "1",
    });
    const body = JSON.stringify({ sha256: hash });
    const headers = { "Content-Type": "application/json" };
    await fetch(`${url}/verify`, { method: "POST", headers, body });
    const studio = await open({ url, account: null, path: `/studio/verify?sha256=${hash}` });
    studio.allow(/status of 429/);
    await studio.page.getByText(/^Try again in \d+ (seconds?|minutes?)\.$/).waitFor();
    await expectAccessible(studio);
    await api.stop();
  });
});
