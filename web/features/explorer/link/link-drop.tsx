import Upload from "lucide-react/icons/upload";
import { useState } from "react";
import type { OpenedLink } from "#contract/links";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { useOwnTitle } from "../../../lib/page-title.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/select-field.tsx";
import { Card, EmptyState } from "../../../ui/surface.tsx";
import type { CommandContext } from "../commands/command-context.ts";
import { usePlace } from "../folder/use-place.tsx";
import { named } from "../model/acts.ts";
import { UploadStrip } from "../tasks/task-strip.tsx";
import { useTreeUpload } from "../upload/use-tree-upload.ts";
import { LinkHeading } from "./link-heading.tsx";

interface LinkDropProps {
  readonly opened: OpenedLink;
  readonly may: CommandContext["may"];
}

/** A link that takes files and shows none: a place to put them. */
export function LinkDrop({ opened, may }: LinkDropProps) {
  useLanguage();
  const { title, upload_paths: paths } = opened;
  const [chosen, choose] = useState(paths[0] ?? "/");
  const folder = bare(chosen);
  const { ask, told } = usePlace(folder, undefined);
  const { over, pick } = useTreeUpload({ folder, may, known: paths.length > 0, virtual: false }, ask);
  useOwnTitle(title ?? t("link.page.heading"));
  return (
    <div data-explorer className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-4 px-4 py-6 sm:py-10">
      <LinkHeading opened={opened} brief={false} />
      <Card className={classes("border-dashed", over && "border-accent bg-accent-soft/40")}>
        {paths.length === 0 ? (
          <EmptyState title={t("link.page.blindTitle")} text={t("link.page.blindText")} />
        ) : (
          <EmptyState
            icon={<Upload aria-hidden />}
            title={t("link.page.dropTitle")}
            text={t("link.page.dropText")}
            action={
              <div className="grid w-full max-w-xs gap-4 text-left">
                {paths.length > 1 && (
                  <SelectField
                    label={t("link.page.into")}
                    choices={paths.map((path) => ({ value: path, label: shownName(named(path)) }))}
                    value={chosen}
                    onChoose={choose}
                  />
                )}
                <Button variant="primary" icon={<Upload aria-hidden />} onClick={() => pick("files")}>
                  {t("link.page.choose")}
                </Button>
              </div>
            }
          />
        )}
      </Card>
      <div className="mt-auto">
        <UploadStrip />
      </div>
      {told}
    </div>
  );
}
