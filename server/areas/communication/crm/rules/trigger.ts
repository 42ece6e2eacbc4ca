/** Decides which feed items can trigger something for a customer. */

interface Item {
  readonly kind: string;
  readonly payload: Record<string, unknown>;
}

/**
 * Items about customers who no longer exist, or that are only for other systems: a listener would act on nobody, or on
 * itself.
 */
const EXCLUDED_KINDS = new Set(['customer.merged', 'customer.deleted', 'crm_workflow.webhook_called']);

/** Returns true if the kind can be a trigger. `payload`: names of the properties that the kind declares. */
export const isTrigger = (kind: string, payload: readonly string[]): boolean =>
  payload.includes('customer') && !EXCLUDED_KINDS.has(kind) && !kind.startsWith('message.');

/** Returns the customer that the item is about; null if there is no particular one. */
export function customerOf({ kind, payload }: Item): number | null {
  const { customer } = payload;
  return typeof customer === 'number' && isTrigger(kind, ['customer']) ? customer : null;
}
