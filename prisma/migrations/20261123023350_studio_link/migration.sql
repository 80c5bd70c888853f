-- Links that sign in to Studio once. A row is deleted when its link is used.
CREATE TABLE "studio_link" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "studio_link_pkey" PRIMARY KEY ("hash")
);
