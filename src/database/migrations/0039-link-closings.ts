/** Why a link takes no more files, which its owner is told once; null while it does. */
export const linkClosings = [
  "alter table links add column closed_for text check (closed_for in ('link.expired', 'link.right'))",
];
