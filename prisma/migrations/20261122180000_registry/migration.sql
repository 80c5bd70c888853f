-- The registry outlives retention, and has no foreign keys: it answers "was this made here?" alone.
-- CreateTable
CREATE TABLE "mark" (
    "render_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "watermark_id" CHAR(16),
    "perceptual_hash" BIT(256),
    "parent_watermarks" TEXT[] NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mark_pkey" PRIMARY KEY ("render_id")
);

-- CreateTable
CREATE TABLE "mark_file" (
    "sha256" CHAR(64) NOT NULL,
    "render_id" UUID NOT NULL,
    "format" "image_format" NOT NULL,

    CONSTRAINT "mark_file_pkey" PRIMARY KEY ("sha256")
);

-- CreateIndex
CREATE UNIQUE INDEX "mark_watermark_id_key" ON "mark"("watermark_id");

-- CreateIndex
CREATE INDEX "mark_file_render_id_idx" ON "mark_file"("render_id");

-- The 16 slices of a perceptual hash, each with its place. Two hashes that differ in at most 15 bits
-- have one in common.
CREATE FUNCTION hash_slices(hash bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY[
  substring(hash FROM   1 FOR 16)::int,            substring(hash FROM  17 FOR 16)::int |  65536,
  substring(hash FROM  33 FOR 16)::int | 131072,   substring(hash FROM  49 FOR 16)::int | 196608,
  substring(hash FROM  65 FOR 16)::int | 262144,   substring(hash FROM  81 FOR 16)::int | 327680,
  substring(hash FROM  97 FOR 16)::int | 393216,   substring(hash FROM 113 FOR 16)::int | 458752,
  substring(hash FROM 129 FOR 16)::int | 524288,   substring(hash FROM 145 FOR 16)::int | 589824,
  substring(hash FROM 161 FOR 16)::int | 655360,   substring(hash FROM 177 FOR 16)::int | 720896,
  substring(hash FROM 193 FOR 16)::int | 786432,   substring(hash FROM 209 FOR 16)::int | 851968,
  substring(hash FROM 225 FOR 16)::int | 917504,   substring(hash FROM 241 FOR 16)::int | 983040
];

CREATE INDEX "mark_hash_slices_idx" ON "mark" USING gin (hash_slices(perceptual_hash));
