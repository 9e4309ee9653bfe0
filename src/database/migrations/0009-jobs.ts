/** Long work on the tree that the server does by itself. */
export const jobs = [
  `create table jobs (
    id text primary key,
    owner text not null,
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    task_count integer not null,
    total_files integer,
    total_bytes integer,
    done_files integer not null default 0,
    skipped_files integer not null default 0,
    failed_files integer not null default 0,
    done_bytes integer not null default 0,
    error text,
    error_details text,
    created_at integer not null,
    started_at integer,
    finished_at integer
  ) strict`,
  `create index jobs_by_age on jobs (created_at, id)`,
  `create index jobs_by_owner on jobs (owner, created_at, id)`,
  `create index jobs_by_turn on jobs (owner, started_at)`,
  `create index jobs_waiting on jobs (created_at, id) where state = 'pending'`,
  `create index jobs_ended on jobs (finished_at) where finished_at is not null`,
  `create table job_tasks (
    job text not null references jobs (id) on delete cascade,
    position integer not null,
    state text not null
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'partial_complete')),
    done integer not null default 0,
    skipped integer not null default 0,
    failed integer not null default 0,
    kind text not null check (kind in ('copy', 'move', 'delete')),
    skip_existing integer not null,
    source text not null,
    target text,
    cursor text,
    primary key (job, position)
  ) strict, without rowid`,
  `create table job_failures (
    job text not null references jobs (id) on delete cascade,
    position integer not null,
    path text not null,
    error text not null,
    error_details text not null,
    primary key (job, position)
  ) strict, without rowid`,
];
