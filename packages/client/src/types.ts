import type { components } from "./contract.ts";

type Schemas = components["schemas"];

/** Body of `POST /v1/generate/image`. */
export type ImageRequest = Schemas["ImageRequest"];
/** Body of `POST /v1/generate/story`. */
export type StoryRequest = Schemas["StoryRequest"];
/** Body of `POST /v1/generate/scene`. */
export type SceneRequest = Schemas["SceneRequest"];
/** What was made: URLs that work for an hour, hashes, cost and balance. */
export type Generation = Schemas["GenerationResponse"];
export type Job = Schemas["Job"];
export type JobList = Schemas["JobList"];
export type JobAccepted = Schemas["JobAccepted"];
export type Model = Schemas["Model"];
export type Account = Schemas["Account"];
export type ModelList = Schemas["ModelList"];
export type FileList = Schemas["FileList"];
/** A template of a skill file, as `GET /v1/files` lists it. */
export type SkillFile = NonNullable<FileList["files"]>[number];

/** Query of `GET /v1/jobs`. */
export interface JobQuery {
  /** 1 to 100; 20 when left out. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
  readonly status?: Job["status"];
  readonly kind?: Job["kind"];
}
