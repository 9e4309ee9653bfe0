import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/form/field.tsx";
import type { ViewerProps } from "../file/props.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { UnreadFile } from "../file/worker-result.tsx";
import { openPdf, PdfFailure, type PdfProblem } from "./open-pdf.ts";
import { PdfReader } from "./pdf-reader.tsx";

type State = { readonly is: "opening" } | { readonly is: "failed"; readonly problem: PdfProblem } | Opened;
interface Opened {
  readonly is: "open";
  readonly pdf: PDFDocumentProxy;
}

/** A PDF, drawn by code of our own and read by pieces; asks for its password when it has one. */
export function PdfViewer({ file, read }: ViewerProps) {
  useLanguage();
  const [password, setPassword] = useState<string>();
  const state = usePdf(read, password);
  if (state.is === "open") return <PdfReader pdf={state.pdf} name={file.filename} />;
  if (state.is === "opening") return <ReadingSkeleton />;
  if (state.problem === "password" || state.problem === "wrongPassword")
    return <PasswordCard wrong={state.problem === "wrongPassword"} onPassword={setPassword} />;
  return (
    <Card>
      <UnreadFile code={state.problem} />
    </Card>
  );
}

function usePdf(address: string, password: string | undefined): State {
  const [state, setState] = useState<State>({ is: "opening" });
  useEffect(() => {
    setState({ is: "opening" });
    let left = false;
    const { opened, close } = openPdf({ from: address, password });
    opened.then(
      (pdf) => !left && setState({ is: "open", pdf }),
      (error: unknown) => {
        close();
        if (!left) setState({ is: "failed", problem: error instanceof PdfFailure ? error.problem : "broken" });
      },
    );
    return () => {
      left = true;
      close();
    };
  }, [address, password]);
  return state;
}

interface PasswordCardProps {
  readonly wrong: boolean;
  readonly onPassword: (password: string) => void;
}

function PasswordCard({ wrong, onPassword }: PasswordCardProps) {
  useLanguage();
  const [password, setPassword] = useState("");
  return (
    <Card className="grid min-h-64 place-items-center p-6">
      <form
        className="grid w-full max-w-[320px] gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onPassword(password);
        }}
      >
        <p className="text-muted">{t("viewer.pdf.locked")}</p>
        <TextField
          type="password"
          autoComplete="off"
          label={t("viewer.pdf.password")}
          value={password}
          error={wrong ? t("viewer.pdf.wrongPassword") : undefined}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" variant="primary">
          {t("viewer.pdf.open")}
        </Button>
      </form>
    </Card>
  );
}
