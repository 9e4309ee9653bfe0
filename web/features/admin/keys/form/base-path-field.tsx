import FolderTreeIcon from "lucide-react/icons/folder-tree";
import { useState } from "react";
import { basePathOf } from "#contract/key-rules";
import { MAX_PATH_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { FolderPicker } from "../../../../ui/folder-picker.tsx";
import { FormTextField } from "../../resource/form-fields.tsx";
import type { FieldsProps } from "./problems.ts";

/** The folder that the key sees and nothing outside it, typed or chosen from the tree. */
export function BasePathField(props: FieldsProps) {
  const { values, fill } = props;
  useLanguage();
  const [choosing, setChoosing] = useState(false);
  const chosen = basePathOf(values.basePath.trim());
  return (
    <div className="grid gap-2">
      <FormTextField
        form={props}
        name="basePath"
        exact
        label={t("admin.keys.form.basePath")}
        maxLength={MAX_PATH_CHARACTERS}
        hint={t("admin.keys.form.basePathHint")}
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
          <FolderPicker
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
