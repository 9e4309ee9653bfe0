import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { webhooks } from "#contract/webhooks";
import type { MailServer } from "../../../src/webhooks/mail.ts";
import { deliveriesOf, happen, makeWebhook, openWebhookHouse } from "../../support/servers/webhook-receiver.ts";
import { ask } from "../../support/share-file.ts";
import type { TestHouse } from "../../support/test-house.ts";

/** Notifications by mail, to SMTP servers that are real and to some that are not. */

interface Got {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly text: string;
}

/** An SMTP server on this machine, which keeps what it gets; `refuse` answers why it does not take a message. */
async function openMailServer(options: SMTPServerOptions = {}, refuse: () => string | undefined = () => undefined) {
  const got: Got[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _, done) =>
      password === "pass/wörd" ? done(null, { user: username }) : done(new Error("no")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const reason = refuse();
        if (reason !== undefined) return done(new Error(reason));
        got.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user as string | undefined,
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    got,
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const local = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  ...{ host: "127.0.0.1", port, tls: "optional", user: undefined, password: undefined },
  from: "Satchel <satchel@host.example>",
  ...more,
});

const openHouse = (mailServer: MailServer, patience?: number) =>
  openWebhookHouse({ webhooks: { mailServer, patience } });

const makeMail = (house: TestHouse, fields: object = {}) =>
  makeWebhook(house, { kind: "mail", address: "me@mail.example", ...fields });

describe("a mail", () => {
  test("arrives with what happened, in the language of the webhook", async () => {
    await using server = await openMailServer();
    await using house = await openHouse(local(server.port));
    const { id, host } = await makeMail(house, { language: "zh" });
    expect(host).toBe("me@mail.example");
    await happen(house, "j7");
    const [got] = server.got;
    expect([got?.from, got?.to]).toEqual(["satchel@host.example", ["me@mail.example"]]);
    const subject = /^Subject: =\?UTF-8\?B\?(.+)\?=/m.exec(got?.text ?? "")?.[1] ?? "";
    expect(Buffer.from(subject, "base64").toString()).toBe("Satchel: 后台任务失败");
    expect(got?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const [row] = await deliveriesOf(house, id);
    expect(row).toMatchObject({ state: "delivered", status: null });
    expect(got?.text).toContain(`Message-ID: <${row?.id}@host.example>`);
    const body = Buffer.from(got?.text.split("\r\n\r\n")[1] ?? "", "base64").toString();
    expect(body.trim()).toBe("admin 的任务 j7 失败：有文件失败");
  });

  test("has no header that a name has brought along", async () => {
    await using server = await openMailServer();
    await using house = await openHouse(local(server.port));
    await makeMail(house);
    await happen(house, "x\r\nBcc: everybody@mail.example\r\n.\r\nMAIL FROM:<a@b.example>");
    expect(server.got.length).toBe(1);
    expect(server.got[0]?.to).toEqual(["me@mail.example"]);
    const [head = ""] = server.got[0]?.text.split("\r\n\r\n") ?? [];
    expect(head).not.toContain("Bcc");
  });

  test("goes out with the account, over TLS alone where that is wanted", async () => {
    await using server = await openMailServer({ allowInsecureAuth: true });
    const account = { user: "me", password: "pass/wörd" };
    await using house = await openHouse(local(server.port, account));
    await makeMail(house);
    await happen(house);
    expect(server.got[0]?.user).toBe("me");
    await using careful = await openHouse(local(server.port, { ...account, tls: "required" }));
    const { id } = await makeMail(careful);
    await happen(careful);
    expect(server.got.length).toBe(1);
    expect((await deliveriesOf(careful, id))[0]).toMatchObject({ state: "waiting", problem: "mailTls" });
  });

  test("does not go to a server whose certificate nobody trusts", async () => {
    // The server makes up a certificate for itself.
    await using server = await openMailServer({ secure: true });
    await using house = await openHouse(local(server.port, { tls: "implicit" }));
    const { id } = await makeMail(house);
    await happen(house);
    expect(server.got).toEqual([]);
    expect((await deliveriesOf(house, id))[0]).toMatchObject({ state: "waiting", problem: "mailTls" });
  });

  test("that is refused is tried again under the same id", async () => {
    let refusals = 1;
    await using server = await openMailServer({}, () => (refusals-- > 0 ? "mailbox full" : undefined));
    await using house = await openHouse(local(server.port));
    const { id } = await makeMail(house);
    await happen(house);
    const [before] = await deliveriesOf(house, id);
    expect(before).toMatchObject({ state: "waiting", problem: "mail", attempts: 1 });
    house.clock.advance(60_000);
    await happen(house, "another");
    expect(server.got.some(({ text }) => text.includes(`<${before?.id}@`))).toBe(true);
    expect(house.log()).not.toContain("mailbox full");
  });
});

describe("a mail server says what is to be changed where it takes no mail:", () => {
  const no = (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error("no"));
  test.each<[string, SMTPServerOptions, Partial<MailServer>, string]>([
    ["the password", { allowInsecureAuth: true }, { user: "me", password: "an other" }, "mailAccount"],
    ["an account", { authOptional: false }, {}, "mailAccount"],
    ["the sender", { onMailFrom: no }, {}, "mailSender"],
    ["the address", { onRcptTo: no }, {}, "mailAddress"],
    ["the scheme", {}, { tls: "implicit" }, "mailTls"],
  ])("%s", async (_, options, account, problem) => {
    await using server = await openMailServer(options);
    await using house = await openHouse(local(server.port, account));
    const { id } = await makeMail(house);
    expect((await ask(house, webhooks.test, { params: { id } })).data).toMatchObject({ state: "failed", problem });
    expect(server.got).toEqual([]);
  });
});

/** A server of TCP that does what the test says. */
async function openTcp(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const ended: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => ended.push("closed"));
    talk(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    ended,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("a mail server", () => {
  const problemOf = async (talk: (socket: Socket) => void) => {
    using server = await openTcp(talk);
    await using house = await openHouse(local(server.port), 300);
    const { id } = await makeMail(house);
    const { data } = await ask(house, webhooks.test, { params: { id } });
    return data.problem;
  };

  test("that says nothing is left", async () => {
    expect(await problemOf(() => undefined)).toBe("mailLate");
  });

  test("that talks without an end is left", async () => {
    const talk = (socket: Socket) => {
      socket.write("220-hello\r\n");
      const timer = setInterval(() => socket.write("220-and hello\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    };
    expect(await problemOf(talk)).toBe("mailLate");
  });

  test("that hangs up is tried again, and so is one that is no mail server", async () => {
    expect(await problemOf((socket) => socket.end())).toBe("mail");
    expect(await problemOf((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))).toBe("mail");
  });

  test("that is not there is told apart", async () => {
    const server = await openTcp(() => undefined);
    server[Symbol.dispose]();
    await using house = await openHouse(local(server.port));
    const { id } = await makeMail(house);
    expect((await ask(house, webhooks.test, { params: { id } })).data.problem).toBe("mailAway");
  });

  test("is not told anything that is no address", async () => {
    await using house = await openHouse(local(1));
    for (const address of ["me", "a@b@c", "a@b.example,c@d.example", "<a@b.example>", "a@b.example>x"]) {
      const body = { name: "m", kind: "mail", address, events: ["job.failed"] } as never;
      expect((await ask(house, webhooks.create, { body })).error).toBe("webhook.mailAddress");
    }
  });
});
