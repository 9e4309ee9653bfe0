import type { BigIntStats } from "node:fs";

/** What tells a file from any that had or will have its name. */
export const stampOf = ({ ino, mtimeNs }: BigIntStats): string => `${ino}:${mtimeNs}`;

/** A new ETag in the shape that no client takes for an MD5, because hashing a file costs three times writing it. */
export const newTag = (parts = 1): string => `${crypto.randomUUID().replaceAll("-", "")}-${parts}`;

/** An ETag for a file that came some other way: changes whenever the file does. */
export const derivedTag = (stat: BigIntStats): string => `${Bun.MD5.hash(`${stampOf(stat)}:${stat.size}`, "hex")}-1`;
