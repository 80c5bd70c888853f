import { modelVariables, openSetting, parseConfig, type Environment } from "@atelier/configuration";
import { loadProviders, readCatalogue, type Catalogue, type Providers } from "@atelier/models";
import * as z from "zod";

const variables = z.object(modelVariables);

/**
 * Loads the providers of the settings.
 *
 * @throws StartError for a file that cannot be used.
 */
export function loadConfiguredProviders(environment: Environment): Promise<Providers> {
  const config = parseConfig(variables, environment);
  const { PROVIDERS_FILE: file } = config;
  return openSetting("PROVIDERS_FILE", loadProviders({ file, keys: config, environment }));
}

/**
 * Loads the providers and the catalogue of the settings.
 *
 * @throws StartError for a file that cannot be used.
 */
export async function loadModels(
  environment: Environment,
): Promise<{ readonly catalogue: Catalogue; readonly providers: Providers }> {
  const { CATALOGUE_FILE } = parseConfig(variables, environment);
  const providers = await loadConfiguredProviders(environment);
  const catalogue = await openSetting("CATALOGUE_FILE", readCatalogue(CATALOGUE_FILE, providers));
  return { catalogue, providers };
}
