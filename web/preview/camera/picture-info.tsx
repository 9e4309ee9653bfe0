import type { ReactNode } from "react";
import { useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useCamera } from "./use-camera.ts";

interface PictureInfoProps {
  readonly name: string;
  /** Where the picture is read by fetch. */
  readonly read: string | undefined;
  /** What else is known of the file. */
  readonly children?: ReactNode;
}

/** What there is to know about a picture that is shown over the whole window: read when somebody asks for it. */
export function PictureInfo({ name, read, children }: PictureInfoProps) {
  useLanguage();
  const camera = useCamera(name, read);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere font-medium">
        <bdi>{shownName(name)}</bdi>
      </p>
      {children}
      <dl>
        {camera.map(({ name: fact, value, copies }) => (
          <div key={fact} className="mt-1.5 flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <dt className="text-[13px] text-muted">{fact}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
            {copies && (
              <dd>
                <CopyButton iconOnly text={value} label={copies} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}
