import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-bundle.js";
import { pathTo } from "./lib/base-path.ts";

/** What of Swagger UI's own we use. */
interface System {
  readonly React: { createElement(type: unknown, props: unknown, ...children: unknown[]): unknown };
}

interface DeepLinkProps {
  readonly path: string;
  readonly text: unknown;
}

/** What screen readers need. The path of a call is a link in a button, which is one thing too many: the button sets the address as well. Names of groups stay links. */
const readable = {
  wrapComponents: {
    DeepLink: (DeepLink: unknown, { React }: System) =>
      function PlainPath(props: DeepLinkProps) {
        return props.path.includes("/")
          ? React.createElement("span", null, props.text)
          : React.createElement(DeepLink, props);
      },
    // Its label holds nothing but the list itself.
    Servers: (Servers: unknown, { React }: System) =>
      function NamedServers(props: object) {
        const name = (node: HTMLElement | null) => node?.querySelector("select")?.setAttribute("aria-label", "Server");
        return React.createElement("div", { ref: name }, React.createElement(Servers, props));
      },
  },
};

/** The API's own page, from the description that the server makes of its contract. */
SwaggerUIBundle({
  url: pathTo("/docs/json"),
  dom_id: "#docs",
  deepLinking: true,
  plugins: [readable],
  // The browser's own search finds what is drawn, which are the calls in sight.
  filter: true,
  validatorUrl: null,
  // Its colours of code are too faint on their ground.
  syntaxHighlight: false,
  persistAuthorization: false,
});
