import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** Has the header show the name and the logo that this page was told of since: it looks when the place changes. */
export function useShowAgain(): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(() => void navigate(pathname, { replace: true }), [navigate, pathname]);
}
