import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { admin, audit } from "#contract/admin";
import type { AuditAction } from "#contract/audit-actions";
import { adminKeys } from "./admin-query-keys.ts";
import { call } from "./call.ts";
import { useReloadingMutation } from "./reloading-mutation.ts";

/** Entries of the audit log on a page. */
export const AUDIT_ROWS = 20;

/** The active sessions, the last used first. */
export const useSessions = () =>
  useQuery({
    queryKey: adminKeys.sessions,
    queryFn: async ({ signal }) => {
      const { data, total } = await call(admin.sessions, { signal });
      return { sessions: data, total };
    },
    staleTime: 0,
  });

const useSessionMutation = <Input, Output>(act: (input: Input) => Promise<Output>) =>
  useReloadingMutation(act, adminKeys.sessions, adminKeys.audit);

/** Ends one session. */
export const useEndSession = () => useSessionMutation((id: string) => call(admin.endSession, { params: { id } }));

/** Ends every session but this one; returns how many there were. */
export const useEndOtherSessions = () =>
  useSessionMutation(async () => (await call(admin.endOtherSessions)).data.ended);

/** A page of the audit log, the first being 1, of one action if one is given; the page before stays on view meanwhile. */
export const useAudit = (page: number, action: AuditAction | undefined) =>
  useQuery({
    queryKey: [...adminKeys.audit, page, action],
    queryFn: ({ signal }) =>
      call(audit.list, { query: { limit: AUDIT_ROWS, offset: (page - 1) * AUDIT_ROWS, action }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
