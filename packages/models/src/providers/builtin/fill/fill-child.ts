import { serveRequests } from "@atelier/kit/limited-process";
import { fillMasked } from "./fill-masked.ts";

/** A request from the parent process; see `HoleFiller`. */
export interface FillRequest {
  readonly image: Uint8Array;
  readonly mask: Uint8Array;
}

serveRequests(({ image, mask }: FillRequest): Promise<Uint8Array> => fillMasked(image, mask));
