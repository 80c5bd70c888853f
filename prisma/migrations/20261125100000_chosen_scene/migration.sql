-- Which version of a scene a story shows in Studio. No foreign keys: jobs are never deleted, and the rows
-- of an account are deleted when it is erased.
-- CreateTable
CREATE TABLE "chosen_scene" (
    "account_id" UUID NOT NULL,
    "story_id" UUID NOT NULL,
    "scene" SMALLINT NOT NULL,
    "version_id" UUID NOT NULL,

    CONSTRAINT "chosen_scene_pkey" PRIMARY KEY ("account_id","story_id","scene")
);
