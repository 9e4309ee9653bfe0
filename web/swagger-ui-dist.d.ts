declare module "swagger-ui-dist" {
  /** The package ships no types; this is what we call. */
  export function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): void;
}
