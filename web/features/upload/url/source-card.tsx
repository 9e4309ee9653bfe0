import type { ReactNode } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { SourceFile } from "#contract/url-uploads";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileIcon } from "../../../ui/file/file-icon.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { kindWords } from "../../../ui/file/kind.ts";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";

interface SourceCardProps {
  readonly source: SourceFile;
  readonly name: string;
  /** Below the facts. */
  readonly children?: ReactNode;
  /** What can be done with it. */
  readonly actions?: ReactNode;
}

/** A file on the web: what it is, how large, and where it is. */
export function SourceCard({ source, name, children, actions }: SourceCardProps) {
  const language = useLanguage();
  const { type, typeName, filename, size, url } = source;
  return (
    <div className="flex items-start gap-3 rounded-lg border border-line bg-surface p-3 sm:p-4" data-type={type}>
      <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-sunken text-muted [&_svg]:size-5">
        <FileIcon type={typeName} filename={filename} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <FileName name={name} />
        <FactLine>
          {kindWords(typeName, filename)}
          {size === null ? t("upload.fromUrl.unknownSize") : formatBytes(size, language)}
          <bdi className="wrap-anywhere">{URL.parse(url)?.host ?? ""}</bdi>
        </FactLine>
        {children}
      </div>
      {actions && <div className="-mt-1 -mr-1 flex shrink-0 sm:-mr-2">{actions}</div>}
    </div>
  );
}
