import type { Clock } from "../../lib/clock.ts";
import type { ObjectHead } from "../store.ts";
import { checkKey } from "./address.ts";
import { isNotFound } from "./errors.ts";
import { parseHead, type Requests } from "./requests.ts";
import type { Retries } from "./timeouts.ts";

interface HeadDeps {
  readonly requests: Requests;
  readonly retries: Retries;
  readonly clock: Clock;
}

/** Asks for the properties of objects. */
export function createHead({ requests, retries, clock }: HeadDeps) {
  /** Whether an answer has shown that the bucket exists. */
  let isBucketKnown = false;

  /** Asks for the properties of an object; undefined when there is none. */
  const properties = async (method: "GET" | "HEAD", key: string): Promise<ObjectHead | undefined> => {
    const timeout = requests.guardedTimeout();
    try {
      const found = parseHead(key, await requests.send({ method, key, timeout }), clock);
      isBucketKnown = true;
      return found;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      isBucketKnown ||= method === "GET";
      return undefined;
    } finally {
      if (method === "GET") timeout.abort();
      timeout.clear();
    }
  };

  /** HeadObject. Its 404 has no error code, so a GET distinguishes a missing object from a missing bucket. */
  return async (key: string): Promise<ObjectHead | undefined> => {
    checkKey(key);
    const found = await retries.retry(() => properties("HEAD", key));
    return found || isBucketKnown ? found : await retries.retry(() => properties("GET", key));
  };
}
