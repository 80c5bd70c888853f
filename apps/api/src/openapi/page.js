/* global SwaggerUIBundle */

/** Shows the API document of the server that delivered this page, whatever its public URL is. */
async function showReference() {
  const address = new URL("openapi.json", document.baseURI);
  const response = await fetch(address);
  const spec = await response.json();
  spec.servers = [{ url: new URL(".", address).href.replace(/\/$/, "") }];
  SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: "list",
    tryItOutEnabled: true,
    // Disables the validator badge, which would send the document to a third party.
    validatorUrl: null,
  });
}

void showReference();
