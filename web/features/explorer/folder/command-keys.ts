import { useEffect, useEffectEvent } from "react";
import { commands } from "../commands/commands.ts";
import type { Doer } from "../commands/doer.ts";
import { commandFor, isTaken } from "../commands/keys.ts";
import type { Situation } from "../commands/situation.ts";

/** The keys of commands where no entries are shown that would take them: one pastes into an empty folder, and goes up from it. */
export function useCommandKeys(doer: Doer, situation: Situation): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || isTaken(target, event)) return;
    if (target !== document.body && target.id !== "main" && !target.closest("[data-explorer]")) return;
    const command = commandFor(commands, event, situation);
    if (!command) return;
    event.preventDefault();
    command.run(doer, situation);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
