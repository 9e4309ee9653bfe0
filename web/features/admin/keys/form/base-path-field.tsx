import FolderTreeIcon from "lucide-react/icons/folder-tree";
import { useState } from "react";
import { basePathOf } from "#contract/key-rules";
import { MAX_PATH_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { FolderTree } from "../../../../ui/folder-tree.tsx";
import type { FieldsProps } from "./use-key-form.ts";

/** The folder that the key sees and nothing outside it, typed or chosen from the tree. */
export function BasePathField({ filled, fill, problems }: FieldsProps) {
  useLanguage();
  const [choosing, setChoosing] = useState(false);
  const chosen = basePathOf(filled.basePath.trim());
  return (
    <div className="grid gap-2">
      <TextField
        label={t("admin.keys.form.basePath")}
        mono
        value={filled.basePath}
        maxLength={MAX_PATH_CHARACTERS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={t("admin.keys.form.basePathHint")}
        error={problems.basePath && t(problems.basePath)}
        onChange={(event) => fill({ basePath: event.target.value })}
      />
      <Button
        icon={<FolderTreeIcon aria-hidden />}
        aria-expanded={choosing}
        className="justify-self-start"
        onClick={() => setChoosing(!choosing)}
      >
        {t(choosing ? "admin.keys.form.treeClose" : "admin.keys.form.treeOpen")}
      </Button>
      {choosing && (
        <div className="max-h-64 overflow-y-auto rounded-lg border border-line p-2">
          <FolderTree
            label={t("admin.keys.form.tree")}
            rootName={t("admin.keys.form.root")}
            base="/"
            towards={chosen ?? "/"}
            chosen={chosen}
            onChoose={(basePath) => fill({ basePath })}
          />
        </div>
      )}
    </div>
  );
}
