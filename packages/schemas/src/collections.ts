import * as z from "zod";
import { cursor, newName, pageSize, timestamp } from "./fields.ts";

export const maxCollectedJobs = 5_000;

/** The id of a collection, in lower case, as stored. */
export const collectionId = z.uuid().toLowerCase();

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
export const listCollectionsQuery = z.strictObject({
  limit: pageSize.meta({ description: "Maximum number of collections per page." }),
  cursor,
});

/** 200 of `GET /v1/collections`. */
export const collectionList = z
  .strictObject({
    collections: z.array(collection).meta({ description: "The newest first." }),
    next_cursor: z.string().nullable().meta({ description: "Null on the last page." }),
  })
  .meta({ id: "CollectionList" });
export type CollectionList = z.infer<typeof collectionList>;
