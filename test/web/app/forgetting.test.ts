import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import * as names from "../../../web/api/query-keys.ts";
import { credential } from "../../../web/api/session/credential.ts";
import { forgetWithPerson } from "../../../web/app/app.tsx";
import { signInWithKey } from "../../support/pages/key-session.ts";

type Name = readonly unknown[] | ((...given: unknown[]) => readonly unknown[]);

/** Every name that something is kept by, whatever it is filled in with. */
const all = (group: object): (readonly unknown[])[] =>
  Object.values(group).map((name: Name) => (typeof name === "function" ? name("id", 1) : name));

const { personalKeys, visitorKeys, ...personal } = names;

test("what one person was shown is not there for the next one; what anybody is told is", () => {
  const queries = new QueryClient();
  const kept = () =>
    Object.values(personal)
      .flatMap(all)
      .filter((name) => queries.getQueryData(name) !== undefined);
  const fill = () => {
    for (const name of [...Object.values(personal), visitorKeys].flatMap(all)) queries.setQueryData(name, "shown");
  };
  const stop = forgetWithPerson(queries);
  const turns = [
    () => credential.signIn("tok", "admin", 1),
    () => signInWithKey("text"),
    () => credential.signOut("expired"),
  ];
  for (const turn of turns) {
    fill();
    expect(kept().length).toBeGreaterThan(personalKeys.length);
    turn();
    expect(kept()).toEqual([]);
    expect(queries.getQueryData(visitorKeys.all)).toBe("shown");
  }
  stop();
});

test("a session that the same person renews forgets nothing", () => {
  const queries = new QueryClient();
  credential.signIn("tok", "admin", 1);
  const stop = forgetWithPerson(queries);
  queries.setQueryData(names.pasteKeys.lists, "shown");
  credential.signIn("newer", "admin", 2);
  expect(queries.getQueryData(names.pasteKeys.lists)).toBe("shown");
  stop();
});
