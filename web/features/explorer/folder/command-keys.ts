import { useEffect, useEffectEvent } from "react";
import type { CommandActions } from "../commands/command-actions.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { commands } from "../commands/commands.ts";
import { commandFor, isTaken } from "../commands/keys.ts";

/** The keys of commands where no entries are shown that would take them: one pastes into an empty folder, and goes up from it. */
export function useCommandKeys(actions: CommandActions, context: CommandContext): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof Element) || isTaken(target, event)) return;
    if (target !== document.body && target.id !== "main" && !target.closest("[data-explorer]")) return;
    const command = commandFor(commands, event, context);
    if (!command) return;
    event.preventDefault();
    command.run(actions, context);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
