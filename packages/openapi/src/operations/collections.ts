import {
  changeCollectionRequest,
  collection,
  collectionId,
  collectionList,
  listCollectionsQuery,
  newCollection,
  type Collection,
  type OperationError,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobId } from "../sample-responses.ts";
import { examples, jsonResponse } from "./responses.ts";

const bodyErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
] as const satisfies readonly OperationError[];

const sample: Collection = {
  id: "019a9f50-3b2c-7d14-8e06-4a9b7c5d2e31",
  name: "Covers of May",
  jobs: 2,
  created_at: "2026-11-21T10:12:00.000Z",
};

/** `/v1/collections`. */
export function collectionOperations(): ZodOpenApiPathsObject {
  const tags = ["Collections"];
  const path = z.strictObject({
    id: collectionId.meta({ description: "The id of a collection.", examples: [sample.id] }),
  });
  const respond = (description: string, value = sample) =>
    jsonResponse(
      description,
      { schema: collection, examples: examples({ collection: ["A collection", value] }) },
      rateHeaders,
    );
  return {
    "/v1/collections": {
      post: {
        operationId: "createCollection",
        tags,
        summary: "Create a collection",
        description:
          "Creates a collection without jobs; when one has the name already, it is returned with 200. An account may have 200 collections. Needs the scopes `read` and `generate`, as all changes of collections do.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: newCollection,
              examples: examples({ collection: ["A collection", { name: sample.name }] }),
            },
          },
        },
        responses: {
          "200": respond("The collection that has this name."),
          "201": respond("The new collection.", { ...sample, jobs: 0 }),
          ...errorResponses([...bodyErrors, "too_many_items"], "keyed"),
        },
      },
      get: {
        operationId: "listCollections",
        tags,
        summary: "List collections",
        description:
          "The collections of the account, the newest first; those of test keys with a test key.",
        requestParams: { query: listCollectionsQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "A page of collections.",
            {
              schema: collectionList,
              examples: examples({
                page: ["One collection", { collections: [sample], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/collections/{id}": {
      get: {
        operationId: "readCollection",
        tags,
        summary: "Read a collection",
        description:
          "The name of the collection and the number of its jobs, which `GET /v1/jobs?collection={id}` lists.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": respond("The collection."),
          ...errorResponses([...keyedErrors, "collection_not_found"], "keyed"),
        },
      },
      patch: {
        operationId: "changeCollection",
        tags,
        summary: "Rename a collection, add and remove jobs",
        description:
          "Adds and removes up to 100 jobs at once, in one transaction: when one of the jobs to add does not exist, nothing changes. A collection has at most 5,000 jobs. Can be repeated.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: changeCollectionRequest,
              examples: examples({
                add: ["Add a job", { add: [jobId] }],
                rename: ["Another name", { name: "Covers of June" }],
              }),
            },
          },
        },
        responses: {
          "200": respond("The collection as it is now."),
          ...errorResponses(
            [
              ...bodyErrors,
              "collection_not_found",
              "job_not_found",
              "too_many_items",
              "duplicate_name",
            ],
            "keyed",
          ),
        },
      },
      delete: {
        operationId: "deleteCollection",
        tags,
        summary: "Delete a collection",
        description: "Deletes the collection; its jobs stay.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "204": {
            description: "The collection is deleted.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses([...keyedErrors, "collection_not_found"], "keyed"),
        },
      },
    },
  };
}
