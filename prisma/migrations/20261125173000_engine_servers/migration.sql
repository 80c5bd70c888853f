-- Servers of operators, when a provider has several: what each has loaded, how fast it is, and the calls
-- that have a place at it. All of it may be lost: a call then loads a model once more.
-- AlterTable
ALTER TABLE "provider_call" ADD COLUMN "server" TEXT;

-- CreateTable
CREATE TABLE "engine_server" (
    "url" TEXT NOT NULL,
    "model" TEXT,
    "loras" TEXT NOT NULL DEFAULT '',
    "jobs_of_others" INTEGER NOT NULL DEFAULT 0,
    "checked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),
    "busy_until" TIMESTAMPTZ(6),

    CONSTRAINT "engine_server_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "engine_speed" (
    "url" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "image_ms" DOUBLE PRECISION,
    "load_ms" DOUBLE PRECISION,
    "loras_ms" DOUBLE PRECISION,

    CONSTRAINT "engine_speed_pkey" PRIMARY KEY ("url","model")
);

-- CreateTable
CREATE TABLE "engine_place" (
    "render_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "loras" TEXT NOT NULL,
    "loads" TEXT NOT NULL,
    "placed_at" TIMESTAMPTZ(6) NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "engine_place_pkey" PRIMARY KEY ("render_id")
);
