import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { strFromU8, unzipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { mintKey } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

async function listKeys(account: TestAccount) {
  const response = await callApi(account, "GET", "/v1/keys");
  const { keys } = (await response.json()) as { keys: object[] };
  return keys;
}

describe.skipIf(!hasBrowser)("the Skills page", () => {
  const open = useBrowser();

  it("makes a script with a limited key that makes an image", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path: "/studio/skills" });
    await page.getByRole("radio", { name: "Shell script" }).check();
    await page.getByRole("region", { name: "image-generation.sh" }).waitFor();
    await expect.poll(() => page.locator("pre").textContent()).toContain("YOUR_API_KEY");
    expect(await listKeys(account)).toHaveLength(1);
    await page.getByLabel("Name").fill("My terminal");
    await page.getByLabel("Budget (EUR, in total)").fill("0.50");
    await page.getByLabel("Days until it expires").fill("7");
    const file = await download(page, () =>
      page.getByRole("button", { name: "Create key and download" }).click(),
    );
    expect(file.name).toBe("image-generation.sh");
    const [, key = ""] = /'(atl_live_\w+)'/.exec(file.bytes.toString()) ?? [];
    await expect.poll(() => page.locator("pre").textContent()).toContain(key);
    const [minted] = await listKeys(account);
    expect(minted).toMatchObject({
      name: "My terminal",
      last_four: key.slice(-4),
      scopes: ["generate"],
      budget: { eur: "0.50", period: "total" },
    });

    const folder = await mkdtemp(join(tmpdir(), "atelier-studio-skill-"));
    try {
      await writeFile(join(folder, file.name), file.bytes, { mode: 0o600 });
      await promisify(execFile)("sh", [file.name, "a red boat", "-o", "boat.png"], { cwd: folder });
      const { format } = await sharp(await readFile(join(folder, "boat.png"))).metadata();
      expect(format).toBe("png");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await page.reload();
    await page.getByRole("region", { name: "image-generation.sh" }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it("shows the files of an agent skill before and after one key is in them, also by a double click", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path: "/studio/skills?skill=story-generation" });
    await page.getByRole("region", { name: "SKILL.md" }).waitFor();
    const file = await download(page, () =>
      page
        .getByRole("button", { name: "Create key and download" })
        .evaluate((button: HTMLElement) => {
          button.click();
          button.click();
        }),
    );
    const files = unzipSync(file.bytes);
    const settings = strFromU8(files["story-generation/scripts/atelier.env"] ?? new Uint8Array());
    const [, key = ""] = /(atl_live_\w+)/.exec(settings) ?? [];
    expect((await callApi({ accountId: "", key }, "GET", "/v1/models")).status).toBe(200);
    await page.locator("summary", { hasText: "scripts/atelier.env" }).click();
    await page.getByRole("button", { name: "Copy scripts/atelier.env" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(settings);
    const again = await download(page, () =>
      page.getByRole("button", { name: "Download again" }).click(),
    );
    expect(again.bytes.equals(file.bytes)).toBe(true);
    expect(await listKeys(account)).toHaveLength(2);
  });

  it("makes a file without a key", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path: "/studio/skills?format=mcp-config" });
    await page.getByRole("radio", { name: "No key" }).check();
    const file = await download(page, () =>
      page.getByRole("button", { name: "Download without a key" }).click(),
    );
    expect(file.name).toBe("mcp.json");
    expect(file.bytes.toString()).toContain("Bearer YOUR_API_KEY");
    expect(await listKeys(account)).toHaveLength(1);
  });

  it("describes wrong limits beside their fields, and creates no key", async () => {
    const account = await newAccount();
    const studio = await open({ account, path: "/studio/skills" });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByLabel("Budget (EUR, in total)").fill("much");
    await page.getByLabel("Days until it expires").fill("0");
    await page.getByRole("button", { name: "Create key and download" }).click();
    await expect
      .poll(() => page.getByRole("alert").allTextContents())
      .toEqual([
        expect.stringContaining("an amount in EUR"),
        expect.stringContaining("at least 1"),
      ]);
    await expectAccessible(studio);
    expect(await listKeys(account)).toHaveLength(1);
  });

  it("explains that a key without the permission cannot create another one", async () => {
    const limited = await mintKey(await newAccount(), { name: "limited", scopes: ["generate"] });
    const studio = await open({ account: limited, path: "/studio/skills" });
    studio.allow(/403/);
    const { page } = studio;
    await page.getByRole("button", { name: "Create key and download" }).click();
    await page.getByText('the permission "Manage"').waitFor();
    await expectAccessible(studio);
  });

  it("is used by keyboard alone", async () => {
    const { page } = await open({ path: "/studio/skills" });
    const format = page.getByRole("radio", { name: "Agent skill" });
    await format.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("region", { name: "AGENTS.md" }).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: "AGENTS.md" }).isChecked()).toBe(true);
    await page.getByLabel("Name").focus();
    await download(page, () => page.keyboard.press("Enter"));
    await page.getByText("AGENTS.md was downloaded.").waitFor();
  });

  it.each(looks)("is accessible before and after the download: $name", async (look) => {
    const studio = await open({ ...look, path: "/studio/skills" });
    const { page } = studio;
    await page.getByRole("region", { name: "SKILL.md" }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `skills-${look.name}`);
    await download(page, () =>
      page.getByRole("button", { name: "Create key and download" }).click(),
    );
    await page.getByText("image-generation.zip was downloaded").waitFor();
    await expectAccessible(studio);
  });
});
