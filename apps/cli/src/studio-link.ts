import { authenticate, createStudioLink, studioLinkUrl, type Peppers } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import type { Answer } from "./answer.ts";
import type { Service } from "./calls/find-service.ts";

/**
 * Creates a link that signs in to Studio with the key of a service, once within 24 hours.
 *
 * @throws Error without a pepper, or for a key that is not valid in this database.
 */
export async function createLink(
  database: Database,
  { baseUrl, apiKey: key }: Service,
  peppers: Peppers | null,
): Promise<Answer> {
  if (peppers === null) {
    throw new Error(
      "KEY_PEPPER is required to create a link. Set it to the value that the API uses.",
    );
  }
  if ((await authenticate(database, key, peppers)) === null) {
    throw new Error(
      "The API key is not valid in this database. Set ATELIER_API_KEY to a key of one of its accounts.",
    );
  }
  const url = studioLinkUrl(baseUrl, await createStudioLink(database, { key, pepper: peppers[0] }));
  return {
    json: { studio_url: url },
    text: `${url}\n\nIt signs in to Studio once, within 24 hours. Treat it like the key.`,
  };
}
