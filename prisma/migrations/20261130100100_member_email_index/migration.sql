-- Invitations of a verified e-mail address, in all accounts.
-- CreateIndex
CREATE INDEX CONCURRENTLY "member_email_idx" ON "member"("email");
