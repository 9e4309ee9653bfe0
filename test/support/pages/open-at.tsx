import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, parsePath, useLocation, useNavigate } from "react-router-dom";
import { createQueries, Pages } from "../../../web/app/app.tsx";
import { preloadAt } from "../../../web/app/routes.tsx";

interface Where {
  path: string;
  go: (address: string) => void;
  back: () => void;
}

function Watch({ where }: { readonly where: Where }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  where.path = pathname + search;
  where.go = navigate;
  where.back = () => navigate(-1);
  return null;
}

/**
 * Opens the whole app at an address, as a browser would, with the state of its entry in the history; `where` follows it, `go`
 * leads elsewhere as a link would.
 */
export async function openAt(address: string, state?: unknown) {
  // CodeMirror draws what it measures, and this document measures nothing: journeys have the editor that follows the text area.
  if (/^\/($|[?#]|paste\/)/.test(address)) localStorage.setItem("satchel-editor", "plain");
  const where: Where = { path: address, go: () => undefined, back: () => undefined };
  await preloadAt(address.split(/[?#]/)[0] ?? "/");
  const view = render(
    <QueryClientProvider client={createQueries()}>
      <MemoryRouter initialEntries={[{ ...parsePath(address), state }]}>
        <Watch where={where} />
        <Pages />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { where, user: userEvent.setup(), ...view, go: (to: string) => act(() => where.go(to)) };
}
