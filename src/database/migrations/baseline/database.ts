/** What the database says of itself. */
export const database = [
  // By name: whose secret key it was made with ("secret check"), the step that a server has to know ("needed step"), a copy that was
  // made of another database ("copy"), and the mount that the first start made ("first mount").
  `create table facts (
    name text primary key,
    value text not null
  ) strict`,
];
