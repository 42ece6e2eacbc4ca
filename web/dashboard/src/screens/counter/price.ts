/** The price of a sale, from a dry run of the interface. */
import { useQuery } from '@tanstack/react-query';
import { Refused, type AnswerOf, type Money } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { keyOf } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import type { BillLine } from './bill.tsx';
import type { Sent, soldOf } from './cart.ts';

export const SALE_FIELDS = [
  'id',
  'total_amount',
  'credit_amount',
  'paid_amount',
  'change_amount',
  'invoice.id',
  'invoice.line_items.id',
  'invoice.line_items.description',
  'invoice.line_items.quantity',
  'invoice.line_items.discount',
  'invoice.line_items.total_amount_due',
] as const;

export type Sale = AnswerOf<'POST /counter/sales', (typeof SALE_FIELDS)[number]>;

export type SaleBody = ReturnType<typeof soldOf> & { readonly payments: readonly Sent[]; readonly total?: string };

/** The result of a dry run of a sale. */
export interface Priced {
  readonly total: Money;
  /** the part that account credit pays */
  readonly credit: Money;
  readonly change: Money;
  readonly lines: readonly BillLine[];
  /** body of the sale: without payments, if nothing is left to pay */
  readonly body: SaleBody;
}

/**
 * Returns true if nothing is left to pay: credit or a discount may cover the total, and then no payment is accepted.
 */
const isPaidAlready = (error: unknown): boolean =>
  error instanceof Refused && error.problem.field_errors['payments.0'] !== undefined;

export function usePrice(sold: ReturnType<typeof soldOf>, payments: readonly Sent[], enabled: boolean) {
  const { id } = useBusiness();
  const body: SaleBody = { ...sold, payments };
  const attempt = async (tried: SaleBody): Promise<Priced> => {
    const sale = await clientOf(id).call('POST /counter/sales', { body: tried, fields: SALE_FIELDS }).dryRun();
    return {
      total: sale.total_amount!,
      credit: sale.credit_amount!,
      change: sale.change_amount!,
      lines: sale.invoice?.line_items ?? [],
      body: tried,
    };
  };
  return useQuery({
    queryKey: keyOf(id, 'POST /counter/sales', body),
    queryFn: async () => {
      try {
        return await attempt(body);
      } catch (error) {
        if (!isPaidAlready(error)) throw error;
        return attempt({ ...sold, payments: [] });
      }
    },
    enabled: enabled && sold.items.length > 0,
    staleTime: 0,
  });
}
