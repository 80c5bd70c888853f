import {
  parseConfig,
  serviceVariables,
  UsageError,
  type Environment,
} from "@atelier/configuration";
import { currentNames, softBindingNames } from "@atelier/schemas";
import * as z from "zod";
import type { Answer } from "../answer.ts";

const variables = z.object({
  SOFT_BINDING_ALGORITHM: serviceVariables.SOFT_BINDING_ALGORITHM,
  OLD_SOFT_BINDING_ALGORITHMS: serviceVariables.OLD_SOFT_BINDING_ALGORITHMS,
  PUBLIC_URL: serviceVariables.PUBLIC_URL,
});

export interface EntryFlags {
  /** The next number of the list. */
  readonly identifier: number;
  readonly contact: string;
  readonly url: string;
  /** Prints the entries of former names instead, which are deprecated. */
  readonly former?: boolean;
}

/**
 * Returns the entries of the installation for the C2PA soft binding algorithm list
 * (https://github.com/c2pa-org/softbinding-algorithm-list), for watermark and fingerprint. A deprecated
 * algorithm is not used for new files, and is still resolved.
 *
 * @throws UsageError if no name, or no former name, is configured.
 */
export function createEntries(
  environment: Environment,
  { identifier, contact, url, former = false }: EntryFlags,
  now: Date,
): Answer {
  const {
    SOFT_BINDING_ALGORITHM: algorithm,
    OLD_SOFT_BINDING_ALGORITHMS: oldAlgorithms,
    PUBLIC_URL: publicUrl,
  } = parseConfig(variables, environment);
  if (algorithm === undefined) {
    throw new UsageError(
      "SOFT_BINDING_ALGORITHM is not set. Set it to a domain of yours in reverse, a name and a version, such as com.example.atelier.1.",
    );
  }
  if (former && oldAlgorithms.length === 0) {
    throw new UsageError(
      "OLD_SOFT_BINDING_ALGORITHMS is not set. Set it to the former names, separated by commas.",
    );
  }
  const named = former ? oldAlgorithms : [algorithm];
  const entries = named
    .map((name) => currentNames(softBindingNames(name)))
    .flatMap(describe)
    .map(({ type, alg, description }, index) => ({
      identifier: identifier + index,
      deprecated: former,
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

function describe({ watermark, fingerprint }: ReturnType<typeof currentNames>) {
  return [
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
  ];
}
