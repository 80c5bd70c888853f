ALTER TYPE "generation_operation" ADD VALUE 'outpaint';
ALTER TYPE "generation_operation" ADD VALUE 'erase';
ALTER TYPE "generation_operation" ADD VALUE 'vectorize';
ALTER TYPE "generation_operation" ADD VALUE 'variations';
