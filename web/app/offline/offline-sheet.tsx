import { version } from "../../../package.json";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { createStore, useStore } from "../../lib/store.ts";
import type { Offline, ShownChange } from "../../offline/offline.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/overlay/dialog.tsx";
import { toast } from "../../ui/toast/toast.ts";
import { ChangeRow } from "./change-row.tsx";
import type { CornerProps } from "./corner-props.ts";
import { attempt, tellOf, troubleOf } from "./tell.ts";

interface OfflineSheetProps extends Omit<CornerProps, "shared"> {
  readonly changes: readonly ShownChange[];
  readonly onClose: () => void;
}

/** What waits, what was refused, what was shared meanwhile; and how the app itself is. */
export function OfflineSheet({ offline, worker, install, connection, send, changes, onClose }: OfflineSheetProps) {
  useLanguage();
  const online = useStore(connection.online);
  const reached = useStore(offline?.reached ?? always);
  const footer = (
    <Button
      variant="primary"
      disabled={!online || changes.every(({ status }) => status !== "pending")}
      onClick={() => attempt(send)}
    >
      {t("offline.sendNow")}
    </Button>
  );
  return (
    <Sheet title={t("offline.title")} onClose={onClose} footer={footer}>
      <p className="mb-4 text-muted">{t(textOf(online, reached))}</p>
      {offline && changes.length > 0 && (
        <ul className="mb-6 grid gap-2">
          {changes.map((change) => (
            <ChangeRow
              key={change.id}
              change={change}
              onRetry={(data) => attempt(async () => tellOf(await offline.retry(change.id, data)))}
              onSeen={() => attempt(() => offline.discard(change))}
              onDiscard={(asked) => discard(offline, asked, send)}
            />
          ))}
        </ul>
      )}
      <Status {...{ worker, install, online }} />
    </Sheet>
  );
}

const always = createStore(true);

/** Throws an Error with a sentence for the person when the change is still there; says so when it was gone already, its row too. */
async function discard(offline: Offline, change: ShownChange, send: CornerProps["send"]): Promise<void> {
  const became = await offline.discard(change).catch((error: unknown) => {
    throw new Error(troubleOf(error));
  });
  if (became === "sending" || became === "changed") throw new Error(t(`offline.undiscarded.${became}`));
  // Others may have waited behind it.
  if (became === "discarded" && change.status === "rejected") void attempt(send);
  if (became === "gone") void toast({ tone: "plain", text: t("offline.undiscarded.gone") });
}

function textOf(online: boolean, reached: boolean) {
  if (!online) return "offline.offlineText";
  return reached ? "offline.onlineText" : "offline.unreachedText";
}

type StatusProps = Pick<CornerProps, "worker" | "install"> & { readonly online: boolean };

function Status({ worker, install, online }: StatusProps) {
  useLanguage();
  return (
    <section aria-label={t("offline.status.title")} className="grid gap-2 rounded-xl border border-line p-4">
      <h3 className="font-semibold">{t("offline.status.title")}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm [&_dd]:text-right [&_dt]:text-muted">
        <dt>{t("offline.status.network")}</dt>
        <dd>{t(online ? "offline.status.online" : "offline.status.offline")}</dd>
        <dt>{t("offline.status.worker")}</dt>
        <dd>{worker ? <WorkerWord worker={worker} /> : t("offline.worker.none")}</dd>
        <dt>{t("offline.status.install")}</dt>
        <dd>
          <InstallWord install={install} />
        </dd>
        <dt>{t("offline.status.version")}</dt>
        <dd className="tabular-nums">{version}</dd>
      </dl>
      {worker && (
        <Button className="mt-2 justify-self-start" onClick={worker.check}>
          {t("offline.update.check")}
        </Button>
      )}
    </section>
  );
}

function WorkerWord({ worker }: { readonly worker: NonNullable<CornerProps["worker"]> }) {
  useLanguage();
  return t(`offline.worker.${useStore(worker.state)}`);
}

function InstallWord({ install }: Pick<CornerProps, "install">) {
  useLanguage();
  const state = useStore(install.state);
  return t(`offline.install.${state === "dismissed" ? "installable" : state}`);
}
