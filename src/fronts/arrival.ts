/** What the front door knows of a request before any front looks at it. */
export interface Arrival {
  /** Stands in the log line and in the answer to a failure that is a bug. */
  readonly requestId: string;
  /** The caller's address: the peer, or what a trusted proxy says. */
  readonly address: string;
  /** Scheme and host under which the caller reaches this server. */
  origin(): string;
  /** What the caller may have called this server, likeliest first: a signature names one of them. */
  hosts(): string[];
  /** Has the connection wait as long as it can: what comes may take a while without a byte moving. */
  hold(): void;
}
