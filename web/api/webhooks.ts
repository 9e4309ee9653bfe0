import { useQuery } from "@tanstack/react-query";
import { type NewWebhook, type WebhookChange, webhooks } from "#contract/webhooks";
import { adminKeys } from "./admin-query-keys.ts";
import { call } from "./call.ts";
import { useReloadingMutation } from "./reloading-mutation.ts";

/** Rows of a page of deliveries. */
export const DELIVERY_ROWS = 10;

/** Every webhook, and whether mail can be sent. */
export const useWebhooks = () =>
  useQuery({
    queryKey: adminKeys.webhooks,
    queryFn: async ({ signal }) => (await call(webhooks.list, { signal })).data,
    staleTime: 0,
  });

/** A page of the deliveries of a webhook, newest first. */
export const useDeliveries = (id: string, page: number) =>
  useQuery({
    queryKey: [...adminKeys.webhooks, id, page],
    queryFn: ({ signal }) =>
      call(webhooks.deliveries, {
        params: { id },
        query: { limit: DELIVERY_ROWS, offset: (page - 1) * DELIVERY_ROWS },
        signal,
      }),
    staleTime: 0,
  });

const useWebhookMutation = <Input, Output>(act: (input: Input) => Promise<Output>) =>
  useReloadingMutation(act, adminKeys.webhooks);

/** Makes a webhook; its secret is in this answer alone. */
export const useCreateWebhook = () =>
  useWebhookMutation(async (body: NewWebhook) => (await call(webhooks.create, { body })).data);

/** Changes what is given of a webhook. */
export const useUpdateWebhook = () =>
  useWebhookMutation(
    async ({ id, change }: { id: string; change: WebhookChange }) =>
      (await call(webhooks.update, { params: { id }, body: change })).data,
  );

/** Deletes a webhook with what waits for it. */
export const useRemoveWebhook = () => useWebhookMutation((id: string) => call(webhooks.remove, { params: { id } }));

/** Delivers a test at once, and says what became of it. */
export const useTestWebhook = () =>
  useWebhookMutation(async (id: string) => (await call(webhooks.test, { params: { id } })).data);

/** Makes a new secret, which is in this answer alone. */
export const useRotateSecret = () =>
  useWebhookMutation(async (id: string) => (await call(webhooks.rotate, { params: { id } })).data);
