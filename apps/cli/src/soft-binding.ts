import {
  parseConfig,
  serviceVariables,
  UsageError,
  type Environment,
} from "@atelier/configuration";
import { currentNames, softBindingNames } from "@atelier/schemas";
import * as z from "zod";
import type { Answer } from "./answer.ts";

const variables = z.object({
  SOFT_BINDING_ALGORITHM: serviceVariables.SOFT_BINDING_ALGORITHM,
  PUBLIC_URL: serviceVariables.PUBLIC_URL,
});

export interface EntryFlags {
  /** The next number of the list. */
  readonly identifier: number;
  readonly contact: string;
  readonly url: string;
}

/**
 * Returns the entries of the installation for the C2PA soft binding algorithm list
 * (https://github.com/c2pa-org/softbinding-algorithm-list), for watermark and fingerprint.
 */
export function createEntries(
  environment: Environment,
  { identifier, contact, url }: EntryFlags,
  now: Date,
): Answer {
  const { SOFT_BINDING_ALGORITHM: algorithm, PUBLIC_URL: publicUrl } = parseConfig(
    variables,
    environment,
  );
  if (algorithm === undefined) {
    throw new UsageError(
      "SOFT_BINDING_ALGORITHM is not set. Set it to a domain of yours in reverse, a name and a version, such as com.example.atelier.1.",
    );
  }
  const { watermark, fingerprint } = currentNames(softBindingNames(algorithm));
  const entries = [
    {
      type: "watermark",
      alg: watermark,
      description:
        "Invisible watermark of 64 bits in a tile that is repeated over the image (Atelier). Its value is 16 hexadecimal digits.",
    },
    {
      type: "fingerprint",
      alg: fingerprint,
      description:
        "Perceptual hash of 256 bits: signs of the lowest cosine terms of the brightness (Atelier). Its value is 64 hexadecimal digits.",
    },
  ].map(({ type, alg, description }, index) => ({
    identifier: identifier + index,
    deprecated: false,
    alg,
    type,
    decodedMediaTypes: ["image"],
    entryMetadata: {
      description,
      dateEntered: now.toISOString(),
      contact,
      informationalUrl: url,
    },
    softBindingResolutionApis: [`${publicUrl}/c2pa`],
  }));
  return { json: entries, text: JSON.stringify(entries, null, 2) };
}
