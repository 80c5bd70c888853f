-- Only of images that clients sent.
ALTER TYPE "image_format" ADD VALUE 'avif';
