-- AlterEnum
ALTER TYPE "transfer_kind" ADD VALUE 'withdrawal' AFTER 'top_up';
