-- Dossiers that the storage could not delete, so that the sweep repeats it.
-- CreateTable
CREATE TABLE "undeleted_dossier" (
    "render_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "tried_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "undeleted_dossier_pkey" PRIMARY KEY ("render_id", "attempt")
);
