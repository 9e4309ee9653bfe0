import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-bundle.js";
import { pathTo } from "./lib/base-path.ts";

/** The API's own page, from the description that the server makes of its contract. */
SwaggerUIBundle({
  url: pathTo("/docs/json"),
  dom_id: "#docs",
  deepLinking: true,
  // The browser's own search finds what is drawn, which are the calls in sight.
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
});
