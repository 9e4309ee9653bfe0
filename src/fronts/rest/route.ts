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

/** The input of a route: the parsed request, its principal, and what the front door read of it. */
export interface RouteInput<E extends Endpoint> extends Parsed<E> {
  readonly request: Request;
  readonly arrival: Arrival;
  /** Certain to have a credential unless anyone may call. */
  readonly principal: E["access"] extends "anyone" ? Principal : Caller;
  /**
   * Names the change for the audit log, where the endpoint has an action there. Without a call, `params` name the subject;
   * undefined means that nothing changed.
   */
  readonly touched: (what: Touched | undefined) => void;
}

export type Route<E extends Endpoint> = (input: RouteInput<E>) => Answer<E> | Promise<Answer<E>>;

/** Binds one endpoint of the contract to its route. */
export type Bind = <E extends Endpoint>(endpoint: E, route: Route<E>) => void;
