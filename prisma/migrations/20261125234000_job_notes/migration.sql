-- What accounts note on their jobs: a title, a star and a book.
-- CreateTable
CREATE TABLE "job_note" (
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "title" TEXT,
    "starred" BOOLEAN NOT NULL DEFAULT false,
    "book" JSONB,

    CONSTRAINT "job_note_pkey" PRIMARY KEY ("account_id","generation_id")
);

-- For lists of starred jobs, and for the limits of an account.
CREATE INDEX "job_note_starred" ON "job_note"("account_id", "generation_id" DESC) WHERE starred;
CREATE INDEX "job_note_book" ON "job_note"("account_id") WHERE book IS NOT NULL;
