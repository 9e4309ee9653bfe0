import type { ReactNode } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

interface PromptProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** A small card that asks something which may wait; above the bar of the home page, whose buttons do not. */
const Prompt = ({ title, text, children }: PromptProps) => (
  <Card role="status" aria-label={title} className="mb-24 w-80 max-w-full p-4 shadow-float max-sm:mb-40">
    <h2 className="mb-1 font-semibold">{title}</h2>
    <p className="mb-3 text-muted text-sm">{text}</p>
    <div className="flex justify-end gap-2">{children}</div>
  </Card>
);

interface UpdatePromptProps {
  readonly onUpdate: () => void;
  readonly onLater: () => void;
}

/** A newer version of the app is there and waits until nobody minds. */
export function UpdatePrompt({ onUpdate, onLater }: UpdatePromptProps) {
  useLanguage();
  return (
    <Prompt title={t("offline.update.title")} text={t("offline.update.text")}>
      <Button variant="plain" onClick={onLater}>
        {t("offline.later")}
      </Button>
      <Button variant="primary" onClick={onUpdate}>
        {t("offline.update.now")}
      </Button>
    </Prompt>
  );
}

interface InstallPromptProps {
  readonly onInstall: () => void;
  readonly onLater: () => void;
}

/** The app can have a window and an icon of its own. */
export function InstallPrompt({ onInstall, onLater }: InstallPromptProps) {
  useLanguage();
  return (
    <Prompt title={t("offline.install.title")} text={t("offline.install.text")}>
      <Button variant="plain" onClick={onLater}>
        {t("offline.later")}
      </Button>
      <Button variant="primary" onClick={onInstall}>
        {t("offline.install.now")}
      </Button>
    </Prompt>
  );
}
