import { verifyUrl } from "@atelier/configuration";
import {
  findShared,
  hashToken,
  type SharedImage,
  type SharedPage,
} from "@atelier/generations/library";
import express, { type Request, type Response, type Router } from "express";
import type { Needs } from "../dependencies.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import { createAddressLimit } from "../http/limits/address-limit.ts";
import { limitAddresses } from "../http/limits/limit-addresses.ts";
import { applyLimit, readPolicies } from "../http/limits/rate-limit.ts";
import type { Policy } from "../http/policy.ts";
import { keepBaseUrl } from "../http/route-template.ts";
import { readPageLanguage } from "../studio/page-language.ts";
import { renderNotFound, renderPage, sharedPagePolicy } from "./render-page.ts";
import { isToken, shareUrl } from "./share-link.ts";

/** Views of one link in a minute, in proportion to those of one address. */
const viewsPerLink = 10;

/** Lifetime of a signed URL: browsers follow the redirect at once. */
const fileSeconds = 60;

/**
 * `/s/<token>`: pages that show shared images to anyone who has the link, without a key. Image elements load
 * `/s/<token>/<image>/full`, which redirects to a signed URL of the storage, so that a saved page has no URL that
 * works after the end of the link.
 *
 * @param abuseContact an e-mail address or a URL, which the page shows.
 */
export function serveShared(
  abuseContact: string,
  { config, database, storage }: Needs<"config" | "database" | "storage">,
): Router {
  const { view } = readPolicies({ config });
  const ofLink: Policy = { policy: "view-link", perMinute: view.perMinute * viewsPerLink };
  const linkLimit = createAddressLimit(ofLink);
  const retentionMs = config.RETENTION_HOURS * 3_600_000;
  const policy = sharedPagePolicy([new URL(config.PUBLIC_URL).origin, storage.publicOrigin]);
  const router = express.Router();
  router.use(keepBaseUrl, forbidStoring, (_request, response, next) => {
    response.vary("Accept-Language").vary("Cookie").set({
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow, noarchive",
      // The page has no origin of its own, and loads its images as another site would.
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    next();
  });
  router.use(limitAddresses(view).admit);

  router.get("/:token", async (request, response) => {
    const { token } = request.params;
    const page = await find(token, response);
    if (page === null) return sendNotFound(request, response);
    const html = renderPage(readPageLanguage(request), page, {
      url: shareUrl(config, token),
      verifyUrl: verifyUrl(config),
      abuseContact,
    });
    response.type("html").send(html);
  });

  router.get("/:token/:image/:file", async (request, response) => {
    const { token, image: position, file } = request.params;
    const image = (await find(token, response))?.images[Number(position)];
    const found = image && fileOf(image, file);
    if (found == null) return sendNotFound(request, response);
    const { url } = await storage.sign(found.storageKey, {
      expiresInSeconds: fileSeconds,
      downloadName: `picture-${Number(position) + 1}.${found.extension}`,
    });
    response.redirect(302, url);
  });

  router.use((request, response) => sendNotFound(request, response));
  return router;

  /**
   * Finds the page of a link. Only links that exist have a limit of their own, so that invented ones do not
   * replace them in its table.
   *
   * @throws AppError `rate_limited`.
   */
  async function find(token: string, response: Response): Promise<SharedPage | null> {
    if (!isToken(token)) return null;
    const hash = hashToken(token);
    const link = hash.toString("base64url");
    if (linkLimit.waitMs(link) > 0) {
      applyLimit(ofLink, { allowed: false, backlogMs: linkLimit.backlogMs(link) }, response);
    }
    const page = await findShared(database, { hash, retentionMs });
    if (page !== null) linkLimit.count(link);
    return page;
  }
}

/** The file that a path names; null without it. */
function fileOf({ full, thumbnail }: SharedImage, name: string) {
  if (name === "full") return { ...full, extension: full.format };
  return name === "thumbnail" && thumbnail !== null ? { ...thumbnail, extension: "webp" } : null;
}

/** The same response for links that are unknown, have ended or were removed. */
function sendNotFound(request: Request, response: Response): void {
  response
    .status(404)
    .type("html")
    .send(renderNotFound(readPageLanguage(request)));
}
