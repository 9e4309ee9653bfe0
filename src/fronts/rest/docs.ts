import type { AnyElysia } from "elysia";
import type { ZodMiniType } from "zod/mini";
import { version } from "../../../package.json";

const security = {
  Bearer: { type: "http", scheme: "bearer", description: "The token that POST /api/admin/login answers with." },
};

/** The API's description (OpenAPI 3.1), made from the contract at its first reading and kept. */
export function createDocs(elysia: AnyElysia): () => Promise<Response> {
  let text: Promise<string> | undefined;
  return async () => {
    text ??= describe(elysia);
    return new Response(await text, { headers: { "content-type": "application/json", "cache-control": "no-cache" } });
  };
}

/** Imported here and not above: nobody who only starts the server should wait for it. */
async function describe(elysia: AnyElysia): Promise<string> {
  const [{ toOpenAPISchema }, z] = await Promise.all([import("@elysiajs/openapi"), import("zod/mini")]);
  const zod = (schema: unknown) => z.toJSONSchema(schema as ZodMiniType, { io: "input", unrepresentable: "any" });
  const { paths, components } = toOpenAPISchema(elysia, undefined, undefined, { zod });
  return JSON.stringify({
    openapi: "3.1.2",
    info: { title: "Satchel", version, description: "Text and file shares. Failures carry a code in `error`." },
    paths: onlyJson(paths),
    components: { ...components, securitySchemes: security },
    security: [{ Bearer: [] }, {}],
  });
}

/** The library lists each body for forms too, which this API does not read. */
function onlyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => name !== "$schema" && name !== "application/x-www-form-urlencoded" && name !== "multipart/form-data",
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, onlyJson(inner)]));
}
