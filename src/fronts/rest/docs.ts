import { Elysia } from "elysia";
import type { ZodMiniType } from "zod/mini";
import type { Endpoint } from "#contract/endpoint";
import { version } from "../../../package.json";
import { textAnswer } from "../../lib/counting.ts";
import type { RequestContext } from "../context.ts";

const security = {
  Bearer: { type: "http", scheme: "bearer", description: "The token that POST /api/admin/login answers with." },
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-KEY",
    description: "An API key; also as Authorization: ApiKey.",
  },
  Basic: { type: "http", scheme: "basic", description: "Name and password, or a key with webdav_read as both." },
  Link: {
    type: "http",
    scheme: "link",
    description: "The grant that opening a link answers with; only for calls below /fs that links may make.",
  },
};

/** The API's description (OpenAPI 3.1), made from the contract at its first reading and kept. */
export function createDocs(endpoints: readonly Endpoint[]): (context: RequestContext) => Promise<Response> {
  let text: Promise<string> | undefined;
  return async ({ pathTo }) => {
    text ??= describe(endpoints, pathTo(""));
    const headers = { "content-type": "application/json", "cache-control": "no-cache", vary: "accept-encoding" };
    return textAnswer(await text, { headers }, true);
  };
}

/** Imported here, so that a start of the server does not wait for it. */
async function describe(endpoints: readonly Endpoint[], url: string): Promise<string> {
  const [{ toOpenAPISchema }, z] = await Promise.all([import("@elysiajs/openapi"), import("zod/mini")]);
  const zod = (schema: unknown) =>
    z.toJSONSchema(schema as ZodMiniType, { io: "input", unrepresentable: "any" }) as JsonSchema &
      Record<string, unknown>;
  const { paths, components } = toOpenAPISchema(listed(endpoints), undefined, undefined, { zod });
  const forms = Object.fromEntries(
    endpoints.flatMap(({ form, path }) => (form ? [[`/api${path}`, withForm(paths[`/api${path}`], zod(form))]] : [])),
  );
  const texts = Object.fromEntries(
    endpoints.flatMap(({ encoding, body, path }) =>
      encoding && body ? [[`/api${path}`, withFields(paths[`/api${path}`], zod(body))]] : [],
    ),
  );
  const files = Object.fromEntries(
    endpoints.flatMap(({ raw, path }) => {
      const shown = `/api${path.replace(/:(\w+)/g, "{$1}")}`;
      return raw ? [[shown, withFile(paths[shown])]] : [];
    }),
  );
  return JSON.stringify({
    openapi: "3.1.2",
    info: { title: "Satchel", version, description: "Text and file shares. Failures carry a code in `error`." },
    ...(url !== "" && { servers: [{ url }] }),
    paths: { ...(onlyJson(paths) as object), ...forms, ...texts, ...files },
    components: { ...components, securitySchemes: security },
    security: [{ Bearer: [] }, { ApiKey: [] }, { Basic: [] }, { Link: [] }, {}],
  });
}

/** Routes that exist only to be described: the library reads them off an Elysia server. */
function listed(endpoints: readonly Endpoint[]): Elysia {
  const elysia = new Elysia({ prefix: "/api" });
  for (const { method, path, params, query, body, response, status = 200, access, visitors, summary } of endpoints) {
    const schemas = { params, query, body, response: response && { [status]: response } };
    const detail = {
      summary: `${summary} (${access}${visitors ? ", visitors" : ""})`,
      tags: [path.split("/")[1] ?? ""],
    };
    elysia.route(method, path, (() => "") as never, { ...schemas, detail } as never);
  }
  return elysia as never;
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

/** A body that is a form: its fields, and the file. */
function withForm(path: unknown, { properties, ...rest }: JsonSchema): object {
  const { post } = onlyJson(path) as { post: object };
  const file = { type: "string", format: "binary" };
  const schema = { ...rest, properties: { ...properties, file }, required: ["file"] };
  return { post: { ...post, requestBody: { required: true, content: { "multipart/form-data": { schema } } } } };
}

/** A body that is a form of texts. */
function withFields(path: unknown, schema: JsonSchema): object {
  const { post, ...others } = onlyJson(path) as { post: object };
  const content = { "application/x-www-form-urlencoded": { schema } };
  return { ...others, post: { ...post, requestBody: { required: true, content } } };
}

/** A body that is a file. */
function withFile(path: unknown): object {
  const content = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  const methods = Object.entries(onlyJson(path) as Readonly<Record<string, object>>);
  return Object.fromEntries(
    methods.map(([method, described]) => [method, { ...described, requestBody: { required: true, content } }]),
  );
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
