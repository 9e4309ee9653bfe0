import { type RefObject, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Pick } from "../file/frame.tsx";

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** How fast something plays. */
export function Speed({ media }: { readonly media: RefObject<HTMLMediaElement | null> }) {
  useLanguage();
  const [speed, setSpeed] = useState(1);
  return (
    <Pick
      label={t("viewer.media.speed")}
      value={String(speed)}
      options={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
      onPick={(picked) => {
        if (media.current) media.current.playbackRate = Number(picked);
        setSpeed(Number(picked));
      }}
    />
  );
}
