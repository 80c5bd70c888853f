import type { ProtocolCall } from "./protocol-server.ts";

/** Parses a JSON request body; undefined when it is malformed or not sent as `application/json`. */
export function readJsonBody({ body, headers }: ProtocolCall): unknown {
  if (!/^application\/json\b/.test(headers["content-type"] ?? "")) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Whether a text is a base64 PNG, JPEG or WebP, with or without a `data:…;base64,` prefix. */
export function isImageInBase64(text: string): boolean {
  const data = text.replace(/^data:image\/(png|jpeg|webp);base64,/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false;
  const head = Buffer.from(data.slice(0, 32), "base64").toString("latin1");
  return /^(\x89PNG|\xff\xd8\xff|RIFF....WEBP)/s.test(head);
}
