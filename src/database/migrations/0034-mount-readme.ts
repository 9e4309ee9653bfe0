/** Whether a README of a folder is shown below its list: as a new mount has it, until somebody says otherwise. */
export const mountReadme = ["alter table mounts add column readme integer not null default 1 check (readme in (0, 1))"];
