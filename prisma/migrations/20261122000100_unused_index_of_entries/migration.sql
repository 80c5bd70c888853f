-- Nothing asks for what it orders, and every image wrote to it four times. Apart from other tables:
-- what locks two of them would wait for workers that wait for it.
DROP INDEX "ledger_entry_account_id_book_idx";
