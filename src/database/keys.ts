import { type Sql, sql } from "./sql.ts";

/** Statements about the keys of objects: one that is empty or ends in a slash is a folder, and stands for all below it. */

const isFolder = (key: string): boolean => key === "" || key.endsWith("/");

/** Behind every key that begins with a folder's: "0" is the character after the slash. */
const endOf = (folder: string): string => (folder === "" ? "\u{10ffff}" : `${folder.slice(0, -1)}0`);

/** The column `key`, or the one that is given, is that of a folder, or below it. */
export const below = (folder: string, column = sql`key`): Sql =>
  sql`${column} >= ${folder} and ${column} < ${endOf(folder)}`;

/** The column is this key, or below it when it is a folder's. */
export const isAt = (key: string, column = sql`key`): Sql =>
  isFolder(key) ? below(key, column) : sql`${column} = ${key}`;

/** What a key becomes when what one key stands for gets another: the column `key`, or the one that is given. */
export const renamed = (from: string, to: string, column = sql`key`): Sql =>
  sql`${to} || substr(${column}, length(${from}) + 1)`;
