import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, useLocation } from "react-router-dom";
import { createQueries, Pages } from "../../web/app/app.tsx";
import { preloadAt } from "../../web/app/routes.tsx";

interface Where {
  path: string;
}

function Watch({ where }: { readonly where: Where }) {
  const { pathname, search } = useLocation();
  where.path = pathname + search;
  return null;
}

/** Opens the whole app at an address, as a browser would; `where` follows it. */
export async function openAt(address: string) {
  const where: Where = { path: address };
  await preloadAt(address.split(/[?#]/)[0] ?? "/");
  const view = render(
    <QueryClientProvider client={createQueries()}>
      <MemoryRouter initialEntries={[address]}>
        <Watch where={where} />
        <Pages />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { where, user: userEvent.setup(), ...view };
}
