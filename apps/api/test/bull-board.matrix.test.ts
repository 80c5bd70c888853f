import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumArguments } from "@atelier/local-services";
import { describeStacks } from "@atelier/testing";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const screenshotPath = fileURLToPath(
  new URL("../../../docs/images/bull-board.png", import.meta.url),
);

const patientMs = 120_000;

describeStacks(
  "Bull Board",
  {
    environment: {
      WORKER_CONCURRENCY: "1",
      WORKER_LOCK_SECONDS: "60",
      PROVIDER_TIMEOUT_SECONDS: "120",
    },
  },
  (stackOf) => {
    describe.skipIf(inject("chromium") === null)("in a browser", () => {
      let profile: string;
      let browser: BrowserContext;
      let page: Page;
      const answer = Promise.withResolvers<void>();

      beforeAll(async () => {
        profile = await mkdtemp(join(tmpdir(), "atelier-browser-"));
        browser = await chromium.launchPersistentContext(profile, {
          executablePath: inject("chromium") ?? "",
          args: [...chromiumArguments],
          viewport: { width: 1280, height: 480 },
          httpCredentials: { username: "operator", password: stackOf().adminKey },
          timeout: patientMs,
        });
        page = await browser.newPage();
        page.setDefaultTimeout(patientMs);
      }, patientMs);

      afterAll(async () => {
        answer.resolve();
        await browser?.close();
        await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      });

      it(
        "shows the operator every lane and its jobs",
        { tags: "full", timeout: patientMs },
        async () => {
          const stack = stackOf();
          const client = await createClient(stack);
          stack.provider.behave(async ({ prompt }) => {
            if (prompt.includes("refuse")) return { kind: "refuse", categories: ["violence"] };
            await answer.promise;
            return { kind: "image" };
          });
          const request = { model: "builtin-illustrator", prompt: "a red house by the sea" };
          for (let count = 0; count < 3; count++) {
            expect((await client.generate(request)).status).toBe(200);
          }
          const refused = { model: "fake-resumable", prompt: "refuse this lighthouse" };
          expect((await client.generate(refused)).status).toBe(502);
          for (let count = 0; count < 4; count++) await client.accept();
          await eventually(
            async () => stack.provider.calls.length,
            (calls) => calls >= 2,
          );

          await page.goto(`${stack.adminUrl}/queues`);
          for (const lane of ["builtin", "fake-blind", "fake-resumable"]) {
            await page.getByRole("link", { name: lane, exact: true }).first().waitFor();
          }
          if (process.env["UPDATE_SCREENSHOTS"] === "1") {
            await page.waitForLoadState("networkidle");
            await page.screenshot({ path: screenshotPath });
          }

          // One job waits for its provider; the worker processes one at a time.
          await page.goto(`${stack.adminUrl}/queues/queue/fake-blind?status=active`);
          const [active] = await stack.database.query<{ id: string }>(
            "SELECT id FROM render WHERE status = 'running'",
          );
          await page
            .getByText(active?.id ?? "none")
            .first()
            .waitFor();
        },
      );
    });
  },
);
