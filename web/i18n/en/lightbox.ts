import type { Shape } from "../shape.ts";
import type { lightbox as zh } from "../zh/lightbox.ts";

export const lightbox: Shape<typeof zh> = {
  tools: "Picture tools",
  previous: "Previous picture",
  next: "Next picture",
  smaller: "Zoom out",
  larger: "Zoom in",
  whole: "Show all of it",
  turn: "Rotate",
  mirror: "Flip",
  info: "About this picture",
};
