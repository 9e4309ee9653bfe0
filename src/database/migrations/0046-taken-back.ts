/** Notes files whose senders take them back before they are removed, so that one whose removal broke off is not counted on. */
export const takenBack = [
  "alter table link_arrivals add column taking_at integer", // epoch milliseconds
  "create index link_arrivals_taking on link_arrivals (taking_at) where taking_at is not null",
];
