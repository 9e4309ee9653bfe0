/** Cache keys of text shares. */
export const pasteKeys = {
  all: ["pastes"] as const,
  lists: ["pastes", "list"] as const,
  list: (query: object) => ["pastes", "list", query] as const,
  whole: (id: string) => ["pastes", "whole", id] as const,
};

/** Cache keys of file shares. */
export const fileKeys = {
  all: ["files"] as const,
  lists: ["files", "list"] as const,
  list: (query: object) => ["files", "list", query] as const,
  whole: (id: string) => ["files", "whole", id] as const,
};

/** Cache keys of links to several files and folders. */
export const linkKeys = {
  all: ["links"] as const,
  list: (query: object) => ["links", query] as const,
  record: (id: string) => ["links", id, "record"] as const,
  received: (id: string, page: object) => ["links", id, "received", page] as const,
  sealedKeys: ["links", "sealed keys"] as const,
  connection: (id: string) => ["links", id, "connection"] as const,
  /** What a link takes still, after so many files of this sender have arrived. */
  taking: (slug: string, arrived: number) => ["links", "taking", slug, arrived] as const,
  takings: ["links", "taking"] as const,
  receipt: (receipt: string) => ["links", "receipt", receipt] as const,
};

/** Cache keys of logs of who has used texts, files and links. */
export const activityKeys = {
  all: ["activity"] as const,
  of: (kind: string, id: string) => ["activity", kind, id] as const,
};

/** Cache keys of storages. */
export const storageKeys = {
  all: ["storages"] as const,
  uses: ["storages", "uses"] as const,
  folders: ["storages", "folders"] as const,
  /** Not below `all`: reloading a report runs another test, which a change of the list should not do. */
  reports: ["storage report"] as const,
  report: (id: string) => ["storage report", id] as const,
};

/** Cache keys of API keys. */
export const keyKeys = {
  all: ["keys"] as const,
  connection: (id: string) => ["keys", "connection", id] as const,
  ownConnection: ["keys", "own"] as const,
};

/** Cache keys of mounts. */
export const mountKeys = { all: ["mounts"] as const };

/** Cache keys of answers to one person: all but public ones. */
export const personalKeys = [
  pasteKeys.all,
  fileKeys.all,
  linkKeys.all,
  activityKeys.all,
  storageKeys.all,
  storageKeys.reports,
  keyKeys.all,
  mountKeys.all,
  ["tree"],
  ["admin"],
];

/** Cache keys of the rights of visitors. */
export const visitorKeys = { all: ["visitors"] as const };
