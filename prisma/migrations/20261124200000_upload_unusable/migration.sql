-- When a worker could not decode an upload: it is decoded no more.
-- AlterTable
ALTER TABLE "upload" ADD COLUMN     "unusable_at" TIMESTAMPTZ(6);
