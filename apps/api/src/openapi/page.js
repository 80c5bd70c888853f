/* global SwaggerUIBundle */

/** Shows the contract of the very server that this page came from, whatever its public URL is. */
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
    // Nothing is sent to anybody for a badge.
    validatorUrl: null,
  });
}

void showReference();
