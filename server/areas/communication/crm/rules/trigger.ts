/** Which feed items can set off something for a customer. */

interface Item {
  readonly kind: string;
  readonly payload: Record<string, unknown>;
}

/**
 * Said of a customer who is no more, or only on the way out to others: what would listen to these would act on nobody,
 * or on itself.
 */
const NEVER = new Set(['customer.merged', 'customer.deleted', 'crm_workflow.webhook_called']);

/** `payload`: the names of the properties that the kind declares. */
export const isTrigger = (kind: string, payload: readonly string[]): boolean =>
  payload.includes('customer') && !NEVER.has(kind) && !kind.startsWith('message.');

/** Whom the item is about; null where that is nobody in particular. */
export function customerOf({ kind, payload }: Item): number | null {
  const { customer } = payload;
  return typeof customer === 'number' && isTrigger(kind, ['customer']) ? customer : null;
}
