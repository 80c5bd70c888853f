ALTER TYPE "generation_operation" ADD VALUE 'remove-background';
