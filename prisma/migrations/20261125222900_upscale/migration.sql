ALTER TYPE "generation_operation" ADD VALUE 'upscale';
