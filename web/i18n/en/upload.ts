import type { Shape } from "../shape.ts";
import type { upload as zh } from "../zh/upload.ts";

export const upload: Shape<typeof zh> = {
  title: "Upload files",
};
