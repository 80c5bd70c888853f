-- CreateTable
CREATE TABLE "worker" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "lanes" TEXT[],
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);
