/** Who has used texts, files and links, for their owners: what happened, when and from which network, and never from which address. */
export const activity = [
  `create table activity (
    kind text not null check (kind in ('paste', 'file', 'link')),
    subject text not null, -- the id of the share or link
    at integer not null, -- when the first of what it counts happened
    id text not null,
    event text not null, -- opened, downloaded, uploaded or refused
    outcome text not null, -- whole or broken; of what was refused password, network or gone
    name text not null, -- of the file, where the subject has several; empty otherwise
    network text not null, -- /24 of IPv4, /48 of IPv6
    program text not null, -- a family and its system; empty for one that is not known
    bytes integer, -- null where nobody knows
    times integer not null, -- how often that happened within the same second
    primary key (kind, subject, at, id)
  ) strict, without rowid`,
  "create index activity_by_time on activity (at)",
];
