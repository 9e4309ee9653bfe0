/** What a check of `satchel doctor` found: all is well, something should be looked at, or the server cannot work like that. */
export interface Finding {
  readonly state: "ok" | "warning" | "problem";
  /** What was looked at, in a word or two. */
  readonly subject: string;
  readonly text: string;
  /** What to do about it; undefined when there is nothing to do. */
  readonly advice?: string | undefined;
}

export const ok = (subject: string, text: string): Finding => ({ state: "ok", subject, text });

export const warning = (subject: string, text: string, advice: string): Finding => ({
  state: "warning",
  subject,
  text,
  advice,
});

export const problem = (subject: string, text: string, advice?: string): Finding => ({
  state: "problem",
  subject,
  text,
  advice,
});
