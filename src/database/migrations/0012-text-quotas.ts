/**
 * How many bytes of texts each quota holds: `visitors`, `admin`, `apikey:<id>`, and `total` of all. Whoever writes a text adds its
 * bytes in the same batch, on the condition that they fit; the trigger subtracts them again, so that no way of deleting a text
 * can forget it.
 */
export const textQuotas = [
  `alter table pastes add column quota text not null default 'admin'`,
  `alter table pastes add column quota_bytes integer not null default 0`,
  `update pastes set
    quota = case
      when exists (select 1 from api_keys where is_guest = 1 and (created_by = 'apikey:' || api_keys.id or created_by = api_keys.id))
        then 'visitors'
      when created_by in ('admin', 'system') then 'admin'
      when created_by like 'apikey:%' then created_by
      else 'apikey:' || created_by end,
    quota_bytes = size + coalesce(length(cast(remark as blob)), 0) + 1024`,

  `create table text_quotas (
    quota text primary key,
    bytes integer not null
  ) strict, without rowid`,
  `insert into text_quotas (quota, bytes) select quota, sum(quota_bytes) from pastes group by quota`,
  `insert into text_quotas (quota, bytes) select 'total', coalesce(sum(quota_bytes), 0) from pastes`,

  `create trigger pastes_give_back after delete on pastes begin
    update text_quotas set bytes = bytes - old.quota_bytes where quota in (old.quota, 'total');
  end`,
];
