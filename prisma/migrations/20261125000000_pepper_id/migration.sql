-- Which pepper the hashes of a key and the secrets of a webhook need.
ALTER TABLE "api_key" ADD COLUMN "pepper_id" TEXT;
ALTER TABLE "webhook" ADD COLUMN "pepper_id" TEXT;
