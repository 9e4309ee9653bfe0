import type { Answer, Endpoint, Parsed } from "#contract/endpoint";
import type { Caller, Principal } from "../../access/principal.ts";
import type { Arrival } from "../arrival.ts";

/** What a route is given: the parsed request, who sends it, and how it arrived. */
export interface RouteInput<E extends Endpoint> extends Parsed<E> {
  readonly request: Request;
  readonly arrival: Arrival;
  /** Certain to have a credential unless anyone may call. */
  readonly principal: E["access"] extends "anyone" ? Principal : Caller;
}

export type Route<E extends Endpoint> = (input: RouteInput<E>) => Answer<E> | Promise<Answer<E>>;

/** Binds one endpoint of the contract to its route. */
export type Bind = <E extends Endpoint>(endpoint: E, route: Route<E>) => void;
