import { endingOf } from "#contract/file-kinds";
import { MAX_PIXELS } from "#contract/viewer-limits";

/** Reports whether a picture that has loaded can be drawn: a browser unpacks it then, with four bytes for each pixel. */
export const isDecodable = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth * naturalHeight <= MAX_PIXELS;

/** Why a picture cannot be drawn (`damaged` is one that was read and not understood), with the sentence that says so. */
export const drawingProblems = {
  failed: "file.view.imageFailed",
  tooLarge: "file.view.imageTooLarge",
  damaged: "file.view.imageDamaged",
} as const;
export type DrawingProblem = keyof typeof drawingProblems;

/** Reports whether a picture may have parts that are transparent, as far as its name says. */
export const mayBeTransparent = (name: string): boolean => !/^(jpe?g|jfif|hei[cf])$/.test(endingOf(name));
