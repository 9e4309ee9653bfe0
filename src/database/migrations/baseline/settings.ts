/** What administrators can set. */
export const settings = [
  `create table settings (
    group_id integer not null, -- as existing clients number the groups
    name text not null,
    value text not null, -- as settings/ writes values of its kind
    created_at integer not null,
    updated_at integer not null,
    primary key (group_id, name)
  ) strict`,
];
