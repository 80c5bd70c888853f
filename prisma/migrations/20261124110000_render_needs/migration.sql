-- What a worker must be able to do to make the image: see `capability` in packages/generations.
ALTER TABLE "render" ADD COLUMN "needs" SMALLINT NOT NULL DEFAULT 0;
