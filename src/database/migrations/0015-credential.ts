/** Columns and tables have the names that the code uses. */
export const credential = [
  `alter table uploads rename column standing to credential`,
  `alter table nodes_adrift rename to removed_folders`,
];
