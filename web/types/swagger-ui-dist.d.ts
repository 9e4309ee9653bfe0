declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  /** The package ships no types; this is what we call. */
  export default function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): void;
}
