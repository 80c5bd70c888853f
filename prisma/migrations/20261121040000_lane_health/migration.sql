-- CreateTable
CREATE TABLE "lane_health" (
    "lane" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_render_id" UUID NOT NULL,
    "open_until" TIMESTAMPTZ(6),
    "reason" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lane_health_pkey" PRIMARY KEY ("lane")
);
