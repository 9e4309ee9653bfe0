import { connect, type Socket } from "node:net";
import type { DeliveryProblem } from "#contract/webhooks";
import { unlessAborted } from "../lib/pinned-fetch.ts";

/** A mail server, as SMTP_URL and SMTP_FROM name it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** From the first byte (smtps), by STARTTLS or not at all, by STARTTLS where the server offers it, or never. */
  readonly tls: "implicit" | "required" | "optional" | "none";
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
}

interface Mail {
  /** Of the message; the same for every try, so that a mailbox can tell. */
  readonly id: string;
  readonly to: string;
  readonly title: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Sends a mail and says what went wrong, null for nothing. Throws the reason of the abort. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<DeliveryProblem | null>;

/** Milliseconds between two signs of life of the server. The signal bounds all of it. */
const SILENCE = 10_000;

/** Sends by a connection of its own, so that an abort ends it whatever the server does. */
export function createMailer(server: MailServer): SendMail {
  const { host, port, tls, user, password, from } = server;
  const options = {
    ...{ host, port, secure: tls === "implicit", requireTLS: tls === "required", ignoreTLS: tls === "none" },
    ...{ connectionTimeout: SILENCE, greetingTimeout: SILENCE, socketTimeout: SILENCE, dnsTimeout: SILENCE },
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
    tls: { servername: host },
  };

  return async ({ id, to, title, text, at }, signal) => {
    // Loaded with the first mail: few servers send any, and it is a tenth of a start.
    const { createTransport } = await import("nodemailer");
    const socket = await connected(host, port, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (!socket) return "mailAway";
    const end = () => socket.destroy();
    signal.addEventListener("abort", end, { once: true });
    try {
      const transport = createTransport({ ...options, connection: socket });
      const domain = from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
      const sent = transport.sendMail({
        ...{ from, to, subject: `Satchel: ${title}`, text, date: new Date(at), messageId: `<${id}@${domain}>` },
        textEncoding: "base64",
        headers: { "auto-submitted": "auto-generated" },
      });
      await unlessAborted(signal, sent);
      return null;
    } catch (error) {
      signal.throwIfAborted();
      return problemOf(error);
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  };
}

/** What to look at after a failure of the mailer. What the mail server wrote is for nobody else. */
function problemOf(error: unknown): DeliveryProblem {
  const { code, command, responseCode, syscall } = error as Partial<Record<string, unknown>>;
  // Some ask for an account only when they are told of a sender.
  if (code === "EAUTH" || responseCode === 530) return "mailAccount";
  if (code === "ETIMEDOUT") return "mailLate";
  // What is wrong with a connection and not with a call of the system is its TLS.
  if (code === "ETLS" || (code === "ESOCKET" && syscall === undefined)) return "mailTls";
  if (code !== "EENVELOPE") return "mail";
  return command === "MAIL FROM" ? "mailSender" : "mailAddress";
}

/** A connection that has been made. */
function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port });
  const giveUp = () => socket.destroy(new Error("aborted"));
  signal.addEventListener("abort", giveUp, { once: true });
  // It stays: an error before the mailer listens would otherwise end the process.
  socket.on("error", reject);
  socket.once("connect", () => {
    signal.removeEventListener("abort", giveUp);
    resolve(socket);
  });
  return promise;
}
