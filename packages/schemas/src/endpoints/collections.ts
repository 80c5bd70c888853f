import * as z from "zod";
import { newName, nextCursor, pageQuery, timestamp } from "../fields.ts";
import { endpoint, json } from "./endpoint.ts";
import { jobId } from "./samples.ts";

export const maxCollectedJobs = 5_000;

/** The id of a collection, in lower case, as stored. */
const collectionId = z.uuid().toLowerCase();

/** Body of `POST /v1/collections`. */
export const newCollection = z
  .strictObject({ name: newName.meta({ examples: ["Covers of May"] }) })
  .meta({ id: "NewCollection" });
export type NewCollection = z.infer<typeof newCollection>;

const jobIds = z.array(z.uuid().toLowerCase()).max(100).optional();

/** Body of `PATCH /v1/collections/{id}`: omitted properties change nothing. */
export const changeCollectionRequest = z
  .strictObject({
    name: newName.optional().meta({ description: "The new name." }),
    add: jobIds.meta({ description: "Ids of jobs to add; those that it has already stay." }),
    remove: jobIds.meta({ description: "Ids of jobs to remove; others are ignored." }),
  })
  .meta({ id: "ChangeCollectionRequest" });
export type ChangeCollectionRequest = z.infer<typeof changeCollectionRequest>;

export const collection = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    jobs: z.int().nonnegative().meta({
      description: "The number of its jobs, which `GET /v1/jobs?collection={id}` lists.",
    }),
    created_at: timestamp,
  })
  .meta({ id: "Collection", description: "Jobs that the account put together." });
export type Collection = z.infer<typeof collection>;

/** Query of `GET /v1/collections`. */
export const listCollectionsQuery = pageQuery("collections");

/** 200 of `GET /v1/collections`. */
export const collectionList = z
  .strictObject({
    collections: z.array(collection).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "CollectionList" });
export type CollectionList = z.infer<typeof collectionList>;

const tag = "Collections";

const sample: Collection = {
  id: "019a9f50-3b2c-7d14-8e06-4a9b7c5d2e31",
  name: "Covers of May",
  jobs: 2,
  created_at: "2026-11-21T10:12:00.000Z",
};

const params = {
  id: collectionId.meta({ description: "The id of a collection.", examples: [sample.id] }),
};
const one = (description: string, value = sample) =>
  json(description, collection, { collection: ["A collection", value] });

export const createCollection = endpoint({
  id: "createCollection",
  route: "POST /v1/collections",
  tag,
  summary: "Create a collection",
  description:
    "Creates a collection without jobs; when one has the name already, it is returned with 200. An account may have 200 collections. Needs the scopes `read` and `generate`, as all changes of collections do.",
  scope: ["read", "generate"],
  body: {
    schema: newCollection,
    examples: { collection: ["A collection", { name: sample.name }] },
  },
  results: {
    200: one("The collection that has this name."),
    201: one("The new collection.", { ...sample, jobs: 0 }),
  },
  errors: ["too_many_items"],
});

export const listCollections = endpoint({
  id: "listCollections",
  route: "GET /v1/collections",
  tag,
  summary: "List collections",
  description:
    "The collections of the account, the newest first; those of test keys with a test key.",
  scope: ["read"],
  query: listCollectionsQuery,
  results: {
    200: json("A page of collections.", collectionList, {
      page: ["One collection", { collections: [sample], next_cursor: null }],
    }),
  },
});

export const readCollection = endpoint({
  id: "readCollection",
  route: "GET /v1/collections/{id}",
  tag,
  summary: "Read a collection",
  description:
    "The name of the collection and the number of its jobs, which `GET /v1/jobs?collection={id}` lists.",
  scope: ["read"],
  params,
  results: { 200: one("The collection.") },
  errors: ["collection_not_found"],
});

export const changeCollection = endpoint({
  id: "changeCollection",
  route: "PATCH /v1/collections/{id}",
  tag,
  summary: "Rename a collection, add and remove jobs",
  description:
    "Adds and removes up to 100 jobs at once, in one transaction: when one of the jobs to add does not exist, nothing changes. A collection has at most 5,000 jobs. Can be repeated.",
  scope: ["read", "generate"],
  params,
  body: {
    schema: changeCollectionRequest,
    examples: {
      add: ["Add a job", { add: [jobId] }],
      rename: ["Another name", { name: "Covers of June" }],
    },
  },
  results: { 200: one("The collection as it is now.") },
  errors: ["collection_not_found", "job_not_found", "too_many_items", "duplicate_name"],
});

export const deleteCollection = endpoint({
  id: "deleteCollection",
  route: "DELETE /v1/collections/{id}",
  tag,
  summary: "Delete a collection",
  description: "Deletes the collection; its jobs stay.",
  scope: ["read", "generate"],
  params,
  results: { 204: "The collection is deleted." },
  errors: ["collection_not_found"],
});

/** `/v1/collections`. */
export const collectionEndpoints = [
  createCollection,
  listCollections,
  readCollection,
  changeCollection,
  deleteCollection,
] as const;
