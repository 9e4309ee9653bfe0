/**
 * What a start needs to know after a crash: the parts that an upload is made of, changes of objects that not everybody may have
 * been told of, and what jobs were about to change.
 */
export const crashes = [
  // JSON: [[number, etag], ...]
  `alter table uploads add column claimed text`,
  `create table change_intents (
    id text primary key,
    storage text not null,
    changes text not null,
    certain integer not null
  ) strict`,
  `create table job_intents (
    job text not null,
    position integer not null,
    path text not null,
    target text,
    files integer not null,
    bytes integer not null,
    whole integer not null,
    primary key (job, position, path),
    foreign key (job, position) references job_tasks (job, position) on delete cascade
  ) strict, without rowid`,
];
