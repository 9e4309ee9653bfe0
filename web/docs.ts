import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-bundle.js";

/** The API's own page, from the description that the server makes of its contract. */
SwaggerUIBundle({
  url: "/docs/json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
