/** Tags of objects on their way, and whether any object has some: those that are there stand among the properties. */
export const objectTags = [
  "alter table uploads add column tags text",
  "create index dav_properties_tags on dav_properties (namespace) where namespace = 'satchel tags'",
];
