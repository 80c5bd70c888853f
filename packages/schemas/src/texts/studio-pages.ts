/** The pages of Studio that a sign-in at the identity provider may lead to, below `/studio`. */
export const studioPage =
  /^\/(?:stories(?:\/[0-9a-f-]{36})?|library|usage|keys|budgets|members|webhooks|skills|account|verify)?$/;
