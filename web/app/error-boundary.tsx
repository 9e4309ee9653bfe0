import TriangleAlert from "lucide-react/icons/triangle-alert";
import { Component, type ReactNode } from "react";
import { t } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { CentredCard } from "../ui/card.tsx";

interface ErrorBoundaryProps {
  /** The address: at another one the page is tried anew. */
  readonly at: string;
  readonly children: ReactNode;
}

/** Keeps the shell when a page throws while it is shown. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidUpdate({ at }: ErrorBoundaryProps) {
    if (this.state.broken && at !== this.props.at) this.setState({ broken: false });
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <CentredCard icon={<TriangleAlert aria-hidden />} title={t("shell.broken.title")}>
        <p role="alert" className="mb-5 text-muted">
          {t("shell.broken.text")}
        </p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t("shell.broken.reload")}
        </Button>
      </CentredCard>
    );
  }
}
