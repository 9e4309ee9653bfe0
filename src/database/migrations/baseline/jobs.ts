/** Long work on the tree that the server does by itself: a job has tasks, which are done one after the other. */
export const jobs = [
  `create table jobs (
    id text primary key,
    owner text not null,
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    task_count integer not null,
    total_files integer, -- null until they are counted, and if they cannot be
    total_bytes integer,
    done_files integer not null default 0,
    skipped_files integer not null default 0,
    failed_files integer not null default 0,
    done_bytes integer not null default 0,
    current text, -- the path that was worked on last
    error text, -- why it ended early: a code
    error_details text, -- as JSON
    created_at integer not null,
    started_at integer,
    finished_at integer
  ) strict`,
  `create index jobs_by_age on jobs (created_at, id)`,
  `create index jobs_by_owner on jobs (owner, created_at, id)`,
  // Owners take turns: whose last job began longest ago comes first.
  `create index jobs_by_turn on jobs (owner, started_at)`,
  `create index jobs_waiting on jobs (created_at, id) where state = 'pending'`,
  `create index jobs_ended on jobs (finished_at) where finished_at is not null`,
  `create index jobs_failed on jobs (state) where state in ('failed', 'partial_complete')`,

  `create table job_tasks (
    job text not null references jobs (id) on delete cascade,
    position integer not null, -- from 0 on
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    done integer not null default 0, -- files
    skipped integer not null default 0,
    failed integer not null default 0,
    kind text not null check (kind in ('copy', 'move', 'delete')),
    skip_existing integer not null,
    source text not null,
    target text, -- null for a removal
    cursor text, -- of the last step that was done, from which it goes on
    primary key (job, position)
  ) strict, without rowid`,

  // The failures that are shown, of which a job keeps so many.
  `create table job_failures (
    job text not null references jobs (id) on delete cascade,
    position integer not null,
    path text not null,
    error text not null, -- as in jobs
    error_details text not null,
    primary key (job, position)
  ) strict, without rowid`,

  // What a task was about to change, recorded before and removed with the record of the step: each change is counted once after a crash.
  `create table job_intents (
    job text not null,
    position integer not null,
    path text not null,
    target text,
    files integer not null,
    bytes integer not null,
    whole integer not null, -- 1 when it is all of the task, done at once
    primary key (job, position, path),
    foreign key (job, position) references job_tasks (job, position) on delete cascade
  ) strict, without rowid`,
];
