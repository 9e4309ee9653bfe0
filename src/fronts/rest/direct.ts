import * as z from "zod/mini";
import type { Answer, Endpoint } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failures";
import { anonymous } from "../../access/principal.ts";
import type { Log } from "../../lib/log.ts";
import type { Arrival } from "../arrival.ts";
import { failureResponse, toFailure } from "./failures.ts";
import type { Route, RouteInput } from "./route.ts";

interface DirectRoute {
  readonly parameter: string;
  readonly query: Endpoint["query"];
  readonly run: (input: RouteInput<Endpoint>) => Answer<Endpoint> | Promise<Answer<Endpoint>>;
  /** How its failures are told. */
  readonly failures: "text" | "json";
  /** What an address is told that cannot be decoded. */
  readonly undecoded: FailureCode;
}

/**
 * Routes that answer with a text or a file and not with JSON: `/name/:parameter`, open to anyone, the parameter being all that
 * follows. They go around Elysia, which would answer HEAD by running GET (and so spend a view), and which costs these, the
 * busiest ones, a third more.
 */
export function createDirect(log: Log) {
  const routes = new Map<string, DirectRoute>();

  return {
    add<E extends Endpoint>({ method, path, access, query, reply }: E, route: Route<E>): void {
      const [, name, parameter] = path.split("/");
      if (access !== "anyone" || !name || !parameter?.startsWith(":")) throw new Error(`${path} cannot go direct.`);
      const told = reply === "file" ? asFile : asText;
      routes.set(`${method} ${name}`, {
        parameter: parameter.slice(1),
        query,
        run: route as DirectRoute["run"],
        ...told,
      });
    },

    /** The answer of a direct route, or undefined when there is none at this path. */
    answer(request: Request, path: string, arrival: Arrival): Promise<Response> | undefined {
      const end = path.indexOf("/", "/api/".length);
      const route = end < 0 ? undefined : routes.get(`${request.method} ${path.slice("/api/".length, end)}`);
      return route && run(route, path.slice(end + 1), request, arrival);
    },
  };

  async function run(route: DirectRoute, rest: string, request: Request, arrival: Arrival): Promise<Response> {
    try {
      const params = { [route.parameter]: decoded(rest, route) } as never;
      const query = readQuery(route, request.url) as never;
      const caller = { arrival, principal: anonymous as never, confirm: nothing, touched: () => undefined };
      return (await route.run({ params, query, body: undefined as never, request, ...caller })) as Response;
    } catch (error) {
      return failureResponse(toFailure({ code: "", error }, arrival.requestId, log), request, route.failures);
    }
  }
}

/** Anyone may go on. */
const nothing = async () => undefined;

const asText = { failures: "text", undecoded: "route.missing" } as const;
const asFile = { failures: "json", undecoded: "path.invalid" } as const;

function decoded(part: string, { undecoded }: DirectRoute): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Failure(undecoded);
  }
}

function readQuery({ query }: DirectRoute, url: string): unknown {
  const start = url.indexOf("?");
  if (!query || start < 0) return {};
  const read = z.safeParse(query, Object.fromEntries(new URLSearchParams(url.slice(start))));
  if (read.success) return read.data;
  throw new Failure("query.invalid", { field: String(read.error.issues[0]?.path[0] ?? "") });
}
