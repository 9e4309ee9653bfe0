import { MAX_URL_CHARACTERS } from "#contract/url-uploads";
import { failureText, isFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import type { Analysis, UrlState } from "./url-state.ts";

/** Asks for the address of a file; nobody is asked anything about it before the button is pressed. */
export function AddressForm({ urlState }: { readonly urlState: UrlState }) {
  useLanguage();
  const address = useStore(urlState.address);
  const analysis = useStore(urlState.analysis);
  const asking = analysis.kind === "asking";
  return (
    <form
      noValidate
      className="grid gap-3 sm:grid-cols-[1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void urlState.analyze();
      }}
    >
      <TextField
        label={t("upload.fromUrl.address")}
        type="url"
        inputMode="url"
        hint={t("upload.fromUrl.hint")}
        error={problemOf(analysis)}
        placeholder={t("upload.fromUrl.placeholder")}
        value={address}
        maxLength={MAX_URL_CHARACTERS}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => urlState.type(event.target.value)}
      />
      {/* Beside the field, below its label. */}
      <Button
        type="submit"
        variant={analysis.kind === "found" ? "quiet" : "primary"}
        busy={asking}
        className="sm:mt-[1.625rem]"
      >
        {asking ? t("upload.fromUrl.analyzing") : t("upload.fromUrl.analyze")}
      </Button>
    </form>
  );
}

function problemOf(analysis: Analysis): string | undefined {
  if (analysis.kind === "invalid") return t("upload.fromUrl.invalid");
  if (analysis.kind !== "failed") return undefined;
  const { failure } = analysis;
  return isFailure(failure, "network") || isFailure(failure, "timeout")
    ? t("upload.fromUrl.lost")
    : failureText(failure);
}
