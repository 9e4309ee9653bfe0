/** Names of subtitles belong to a film when they begin as it does: "film.vtt", "film.en.srt". */
const shape = /^(.*?)(?:\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?\.(vtt|srt)$/;

interface SubtitleName {
  readonly filename: string;
  /** What its name says of its language. */
  readonly language: string | undefined;
  readonly isSrt: boolean;
}

/** The subtitles of a film among the files of its folder. */
export function subtitlesOf(film: string, names: readonly string[]): SubtitleName[] {
  const base = film.replace(/\.[^.]*$/, "").toLowerCase();
  return names.flatMap((filename) => {
    const lower = filename.toLowerCase();
    const [, stem, language, ending] = shape.exec(lower) ?? [];
    const whole = lower.replace(/\.(vtt|srt)$/, "");
    if (stem !== base && whole !== base) return [];
    return [{ filename, language: whole === base ? undefined : language, isSrt: ending === "srt" }];
  });
}

/** SubRip as WebVTT, which is what browsers read: another heading, and points in times. What it has of styles stays text or falls away. */
export function vttOf(srt: string): string {
  const lines = srt.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const timed = lines.replace(/(\d{1,2}:\d{2}:\d{2}),(\d{3})/g, "$1.$2").replace(/\{\\[^}]*\}/g, "");
  return `WEBVTT\n\n${timed}`;
}
