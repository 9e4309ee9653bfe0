-- Rows for the tables of step 22, with either engine.
insert into migrations (number, applied_at) values
  (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1), (13, 1), (14, 1), (15, 1), (16, 1),
  (17, 1), (18, 1), (19, 1), (20, 1), (21, 1), (22, 2);
insert into storage_configs (id, name, provider_type, bucket_name, default_folder, is_public, is_default, signature_expires_in,
    created_at, updated_at)
  values ('s', 'Built-in', 'Built-in disk', 'drive', '', 1, 1, 3600, 1, 1);
insert into mounts (id, name, path, storage, is_active, sort_order, cache_ttl, web_proxy, webdav_policy, enable_sign, created_by,
    created_at, updated_at)
  values ('m', 'Drive', '/drive', 's', 1, 0, 0, 1, 'native_proxy', 0, 'admin', 1, 1);
insert into uploads (id, storage, key, content_type, size, state, part_size, created_by, credential, created_at, touched_at)
  values ('u', 's', 'a.txt', 'text/plain', 3, 'ready', null, 'admin', '', 1, 1),
    ('v', 's', 'b.txt', 'text/plain', 9, 'pending', 5, 'admin', '', 1, 1);
insert into files (id, slug, filename, storage, key, upload, pending, content_type, size, max_views, use_proxy, created_by, created_at,
    updated_at)
  values ('f', 'slug', 'a.txt', 's', 'a.txt', 'u', 0, 'text/plain', 3, 0, 0, 'admin', 1, 1);
insert into text_quotas (quota, bytes) values ('admin', 1029), ('total', 1029);
insert into pastes (id, slug, preview, size, password_hash, locked, max_views, created_by, created_at, updated_at, quota_bytes)
  values ('p', 'kept', 'hello', 5, 'a hash', 1, 0, 'admin', 1, 1, 1029);
insert into paste_texts (paste, content) select number, 'hello' from pastes where id = 'p';
insert into jobs (id, owner, state, task_count, created_at) values ('j', 'admin', 'pending', 1, 1);
insert into job_tasks (job, position, state, kind, skip_existing, source, target)
  values ('j', 0, 'pending', 'copy', 0, '/drive/a.txt', '/drive/c.txt');
insert into dav_properties (storage, key, folder, namespace, name, value)
  values ('s', 'a.txt', '', 'urn:test', 'color', '<color xmlns="urn:test">red</color>');
