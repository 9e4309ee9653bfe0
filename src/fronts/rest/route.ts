import type { Answer, Endpoint, Parsed } from "#contract/endpoint";
import type { Caller, Principal } from "../../access/principal.ts";
import type { Arrival } from "../arrival.ts";

/** What a call changed, for the audit log. */
export interface Touched {
  readonly id?: string | undefined;
  /** What it was called then. */
  readonly name?: string | undefined;
  /** Which fields it set, where that is not all that were sent. */
  readonly fields?: readonly string[] | undefined;
}

/** What a route is given: the parsed request, who sends it, and how it arrived. */
export interface RouteInput<E extends Endpoint> extends Parsed<E> {
  readonly request: Request;
  readonly arrival: Arrival;
  /** Certain to have a credential unless anyone may call. */
  readonly principal: E["access"] extends "anyone" ? Principal : Caller;
  /** Lets a route that has read its body itself ask again whether the caller may go on. 401, 403. */
  readonly confirm: () => Promise<void>;
  /**
   * Tells the audit log what was changed, where the endpoint has a name there: without a word it is what `params` name, and
   * undefined means that nothing was.
   */
  readonly touched: (what: Touched | undefined) => void;
}

export type Route<E extends Endpoint> = (input: RouteInput<E>) => Answer<E> | Promise<Answer<E>>;

/** Binds one endpoint of the contract to its route. */
export type Bind = <E extends Endpoint>(endpoint: E, route: Route<E>) => void;
