import type { SealedFailure } from "../failures.ts";
import type { Opening } from "../read-opened.ts";

/**
 * Where the worker serves what a page has opened: `/opened/ID`. The server has nothing there, but is asked where a browser passes the worker by,
 * as one does that goes on with a download: no name stands in the address.
 */
export const OPENED = "/opened/";

/** How often a page tells the worker what it has opened, in milliseconds: browsers end workers that hear nothing for half a minute. */
export const OPENED_EVERY = 10_000;

/** A sealed file that a page has opened, for the worker to serve. */
export interface OpenedFile {
  /** Nobody can guess it: who knows it may read the file. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Where its sealed bytes are, at this server. */
  readonly source: string;
  readonly opening: Opening;
}

/** Tells the worker what a page has opened; it answers with true. */
export interface KeepOpened {
  readonly type: "KEEP_OPENED";
  readonly file: OpenedFile;
}

/** Tells the worker that these are to be read no more: their key was forgotten. What is on its way goes on. */
export interface ForgetOpened {
  readonly type: "FORGET_OPENED";
  readonly ids: readonly string[];
}

/** Messages of the worker to pages. */
export type OpenedToPage =
  /** It has been started anew since: the page that has this file open answers with it through the port. */
  | { readonly type: "OPENED_WANTED"; readonly id: string }
  /** Its bytes cannot be opened from some place on, and what was on its way has broken off. */
  | { readonly type: "OPENED_BROKEN"; readonly id: string; readonly code: SealedFailure["code"] };
