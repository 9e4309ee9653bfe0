import Smile from "lucide-react/icons/smile";
import type { ComponentProps } from "react";
import { loadWords, t, useLanguage } from "../../../../i18n/i18n.ts";
import { useCode } from "../../../../page/code.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Skeleton } from "../../../../ui/card.tsx";
import { Popover } from "../../../../ui/overlay/popover.tsx";

interface EmojiButtonProps extends Omit<ComponentProps<typeof IconButton>, "onClick"> {
  readonly onPick: (sign: string) => void;
}

/** The button of the toolbar that offers emoji; they and their names are loaded when it is pressed. */
export function EmojiButton({ onPick, ...button }: EmojiButtonProps) {
  return (
    <Popover
      label={button.label}
      className="p-3 sm:w-[340px]"
      trigger={(props) => (
        <IconButton {...button} {...props}>
          <Smile aria-hidden />
        </IconButton>
      )}
    >
      {(close) => (
        <Signs
          onPick={(sign) => {
            close();
            onPick(sign);
          }}
        />
      )}
    </Popover>
  );
}

function Signs({ onPick }: Pick<EmojiButtonProps, "onPick">) {
  useLanguage();
  const { data, error } = useCode("emoji", async () => {
    const [{ EmojiPicker }] = await Promise.all([import("./picker.tsx"), loadWords("emoji")]);
    return EmojiPicker;
  });
  const Picker = data;
  if (Picker) return <Picker onPick={onPick} />;
  return error ? <p role="alert">{t("shell.failure.network")}</p> : <Skeleton className="h-40 w-full" />;
}
