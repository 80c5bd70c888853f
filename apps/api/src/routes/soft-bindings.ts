import { findDossier, listManifests, type ManifestOwner } from "@atelier/generations/retention";
import { decodeDossier, type Identification } from "@atelier/provenance";
import {
  AppError,
  bindingQuery,
  contentQuery,
  dossierKey,
  manifestQuery,
  manifestUrn,
  matchesQuery,
  parseRequest,
  readBindingValue,
  readManifestUrn,
  softBindingNames,
  softBindingQuery,
  type SoftBindingAlgorithms,
  type SoftBindingMatches,
} from "@atelier/schemas";
import express, { type Request, type Response, type Router } from "express";
import type { Needs } from "../dependencies.ts";
import { allowCrossOrigin } from "../http/allow-cross-origin.ts";
import { readJson, requireJson } from "../http/body/read-body.ts";
import { receiveBody } from "../http/body/receive-body.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import type { RequestLimit } from "../http/limits/limit-addresses.ts";
import { refuseQuery } from "../http/refuse-query.ts";
import { keepBaseUrl } from "../http/route-template.ts";
import type { IdentifyUpload } from "../verification/identify-upload.ts";

const maxBindingBodyBytes = 4_096;
/** An image has at most five files, and few images have the same fingerprint. */
const maxMatches = 100;
/** Bytes of a value of each algorithm. */
const valueBytes = { watermark: 8, fingerprint: 32 } as const;

/**
 * The C2PA Soft Binding Resolution API (version 1.0.0): leads from a watermark, a fingerprint or a picture
 * that lost its metadata to the manifests of its files. Public; stores nothing.
 */
export function serveSoftBindings(
  { config, database, storage }: Needs<"config" | "database" | "storage">,
  identify: IdentifyUpload,
  limit: RequestLimit,
): Router {
  const names = softBindingNames(config.SOFT_BINDING_ALGORITHM, config.OLD_SOFT_BINDING_ALGORITHMS);
  const router = express.Router();
  router.use(keepBaseUrl, allowCrossOrigin("GET, POST"), limit.admit, forbidStoring);

  router.get("/services/supportedAlgorithms", refuseQuery, (_request, response) => {
    const list = (algorithms: readonly string[]) => algorithms.map((alg) => ({ alg }));
    const supported: SoftBindingAlgorithms = {
      watermarks: list(names.watermarks),
      fingerprints: list(names.fingerprints),
    };
    response.json(supported);
  });

  router.get("/matches/byBinding", async (request: Request, response: Response) => {
    const { alg, value, maxResults } = parseRequest(bindingQuery, request.query);
    response.json(await matchBinding(alg, value, maxResults));
  });

  router.post("/matches/byBinding", async (request: Request, response: Response) => {
    const { maxResults } = parseRequest(matchesQuery, request.query);
    requireJson(request);
    const body = readJson(await receiveBody(request, response, maxBindingBodyBytes));
    const { alg, value } = parseRequest(softBindingQuery, body);
    response.json(await matchBinding(alg, value, maxResults));
  });

  router.post("/matches/byContent", async (request: Request, response: Response) => {
    const { alg, maxResults } = parseRequest(contentQuery, request.query);
    const found = await identify(request, response);
    response.json(await matchContent(found, alg, maxResults));
  });

  router.get("/manifests/:manifestId", async (request: Request, response: Response) => {
    parseRequest(manifestQuery, request.query);
    const store = await readStore(String(request.params["manifestId"]));
    response.type("application/c2pa").send(store);
  });

  async function match(
    owner: ManifestOwner,
    maxResults: number,
    similarityScore?: number,
  ): Promise<SoftBindingMatches> {
    const ids = await listManifests(database, owner, Math.min(maxResults, maxMatches));
    const score = similarityScore === undefined ? {} : { similarityScore };
    return { matches: ids.map((id) => ({ manifestId: manifestUrn(id), ...score })) };
  }

  /**
   * A fingerprint matches only if all of its bits are those of a single image: similar pictures have
   * different origins.
   */
  function matchBinding(
    alg: string,
    value: string,
    maxResults: number,
  ): Promise<SoftBindingMatches> {
    const isWatermark = names.watermarks.includes(alg);
    if (!isWatermark && !names.fingerprints.includes(alg)) {
      throw invalid("alg", "is not an algorithm of GET /c2pa/services/supportedAlgorithms");
    }
    const kind = isWatermark ? "watermark" : "fingerprint";
    const digits = readBindingValue(value, valueBytes[kind]);
    if (digits === null) throw invalid("value", `must be ${valueBytes[kind]} bytes in base64`);
    return match({ by: kind, value: digits }, maxResults);
  }

  /** A picture that only looks like a registered one, or that a mark was copied onto, has no match. */
  async function matchContent(
    identification: Identification,
    alg: string | undefined,
    maxResults: number,
  ): Promise<SoftBindingMatches> {
    const { verdict, basedOn, image } = identification;
    const scores: Partial<Record<Identification["verdict"], number>> = {
      made_here: 100,
      mark_found: 50,
    };
    const score = scores[verdict];
    const isWanted =
      alg === undefined ||
      (names.watermarks.includes(alg) && basedOn.includes("watermark")) ||
      (names.fingerprints.includes(alg) && basedOn.includes("fingerprint"));
    if (image === null || score === undefined || !isWanted || looksLikeAnother(identification)) {
      return { matches: [] };
    }
    return match({ by: "render", value: image.renderId }, maxResults, score);
  }

  async function readStore(urn: string): Promise<Buffer> {
    const id = readManifestUrn(urn);
    if (id === null) {
      throw invalid("manifestId", "must be the identifier of a manifest, as urn:c2pa:<UUID>");
    }
    const found = await findDossier(database, id);
    const dossier = found && (await storage.get(dossierKey(found)));
    const manifest = dossier && decodeDossier(dossier.bytes).manifests.find((one) => one.id === id);
    if (!manifest) {
      throw new AppError("file_not_found", "This service keeps no manifest with this identifier.");
    }
    return manifest.store;
  }

  return router;
}

/** Whether a mark is on a picture that looks like another registered image: it was probably copied. */
function looksLikeAnother({ verdict, basedOn, techniques }: Identification): boolean {
  return (
    verdict === "mark_found" &&
    !basedOn.includes("fingerprint") &&
    techniques.some(({ technique, result }) => technique === "fingerprint" && result === "match")
  );
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", `${path} ${message}.`, {
    details: [{ path, code: "invalid_value", message }],
  });
}
