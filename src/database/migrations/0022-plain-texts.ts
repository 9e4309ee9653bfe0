/** Whether a text is to be shown as it was written, and not as Markdown. */
export const plainTexts = ["alter table pastes add column plain integer not null default 0"];
