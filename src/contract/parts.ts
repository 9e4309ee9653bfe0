import { MAX_PARTS, PART_SIZE } from "./limits.ts";

const MiB = 1024 * 1024;

/** Bytes of each part but the last of a file of `size` bytes: 5 MiB, more in whole MiB where 10,000 parts would not do. */
export const partSizeFor = (size: number): number => Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS / MiB) * MiB);

/** How many parts a file has; an empty file has one. */
export const partCountFor = (size: number, partSize: number): number => Math.max(1, Math.ceil(size / partSize));

/** Bytes of the part with this number, counted from 1. */
export const partLength = (size: number, partSize: number, number: number): number =>
  Math.min(partSize, size - (number - 1) * partSize);
