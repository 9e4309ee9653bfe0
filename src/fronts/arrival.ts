/** What the front door knows of a request before any front looks at it. */
export interface Arrival {
  /** Stands in the log line and in the answer to a failure that is a bug. */
  readonly requestId: string;
  /** The caller's address: the peer, or what a trusted proxy says. */
  readonly address: string;
}
