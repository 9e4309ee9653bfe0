import type { Shape } from "../shape.ts";
import type { file as zh } from "../zh/file.ts";

export const file: Shape<typeof zh> = {
  title: "Shared file",
};
