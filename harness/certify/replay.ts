import { startProtocolServer, type ProtocolServer, type Reply } from "@atelier/models/testing";
import sharp from "sharp";
import type { CertificationReport, Exchange } from "./report.ts";

/**
 * Starts a protocol server that answers with the recorded responses of a report, in their order for each
 * method and path. Images are drawn in their recorded format and size, and URLs of the vendor lead here.
 */
export async function startReplay({
  exchanges,
}: Pick<CertificationReport, "exchanges">): Promise<ProtocolServer> {
  const left = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const { pathname } = new URL(exchange.request.url);
    const key = `${exchange.request.method} ${pathname}`;
    left.set(key, [...(left.get(key) ?? []), exchange]);
  }
  const origins = [...new Set(exchanges.map(({ request }) => new URL(request.url).origin))];
  return startProtocolServer(async ({ call, url }): Promise<Reply> => {
    const recorded = left.get(`${call.method} ${url.pathname}`)?.shift()?.response;
    if (recorded == null) return { status: 404, json: { error: "not recorded" } };
    const { body, headers, status } = recorded;
    const own = `http://${call.headers.host ?? ""}`;
    const filled = await fill(body, (text) =>
      origins.reduce((rest, origin) => rest.replaceAll(origin, own), text),
    );
    if (typeof body === "string") {
      return { status, headers, bytes: Buffer.from(String(filled), "base64") };
    }
    return { status, headers, json: filled };
  });
}

const imageMark = /^<(png|jpeg|webp) image (\d+)x(\d+)>$/;

async function fill(value: unknown, replace: (text: string) => string): Promise<unknown> {
  if (typeof value === "string") {
    const [, format, width, height] = imageMark.exec(value) ?? [];
    if (format === undefined) return replace(value);
    const size = { width: Number(width), height: Number(height) };
    const image = sharp({ create: { ...size, channels: 3, background: "#7a5c3e" } });
    return (await image.toFormat(format as "png" | "jpeg" | "webp").toBuffer()).toString("base64");
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(item, replace)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, item]) => [name, await fill(item, replace)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
