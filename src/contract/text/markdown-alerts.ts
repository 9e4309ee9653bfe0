/** The callouts of GitHub's Markdown: a quote whose first line is `[!NOTE]` and nothing else. */
export const alertKinds = ["note", "tip", "important", "warning", "caution"] as const;

export type AlertKind = (typeof alertKinds)[number];

/** What each is called. */
export type AlertWords = Readonly<Record<AlertKind, string>>;
