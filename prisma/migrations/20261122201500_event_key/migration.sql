-- A replay continues after an id, in the order of ids.
-- AlterTable
ALTER TABLE "event" DROP CONSTRAINT "event_pkey",
ADD CONSTRAINT "event_pkey" PRIMARY KEY ("account_id", "id");
