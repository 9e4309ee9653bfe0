/** Jobs whose storage does not answer: since when, why, and when they are tried again. */
export const waitingJobs = [
  "alter table jobs add column away_since integer",
  "alter table jobs add column away_error text",
  "alter table jobs add column resumes_at integer",
];
