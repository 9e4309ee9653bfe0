import { Failure, type FailureCode } from "#contract/failures";
import type { Permission } from "#contract/permissions";
import type { Caller } from "../../access/principal.ts";
import type { RequestContext } from "../context.ts";

/** Admits whoever sends a request and has one of these rights; visitors have them where they may share. 401, 403. */
export type Admits = (
  request: Request,
  context: RequestContext,
  ...rights: [Permission, ...Permission[]]
) => Promise<Caller>;

/** What a refusal for people before a screen is called to a program, which has an API key or has none. */
const toPrograms: Partial<Record<FailureCode, FailureCode>> = {
  "auth.required": "key.required",
  "auth.expired": "key.invalid",
  "login.wrong": "key.invalid",
};

/** As what admits, with refusals that say which credential is wanted. 401 key.required, key.invalid. */
export const withKeyRefusals =
  <Asked extends readonly unknown[]>(admits: (...asked: Asked) => Promise<Caller>) =>
  async (...asked: Asked): Promise<Caller> => {
    try {
      return await admits(...asked);
    } catch (error) {
      const code = error instanceof Failure ? toPrograms[error.code] : undefined;
      throw code === undefined ? error : new Failure(code);
    }
  };

/** As Admits, for what visitors, who share one key, may not do to each other's shares. */
export const withoutVisitors =
  (admits: Admits): Admits =>
  async (...asked) => {
    const caller = await admits(...asked);
    if (caller.kind === "key" && caller.isVisitor) throw new Failure("key.required");
    return caller;
  };
