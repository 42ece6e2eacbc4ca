/**
 * One kind of item: a small declaration in one place. What a caller sends for it, which rules it keeps, what is
 * held for it, what its price is made of, and what the customer gets.
 */
import type { CodeItem } from '../../discount-codes/index.ts';
import type { CheckoutRow, ItemColumns, ItemRow } from '../rows.ts';
import type { Issues } from '../../../../kernel/base/problem.ts';
import type { ItemType } from './types.ts';
import type { LineType } from '../../../money/ledger/index.ts';
import type { Price, PurchaseType } from '../../../pricing/fees/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The properties of a body by which an item names what is bought. */
export const NAMED = {
  membership: 'membership_id',
  plan: 'payment_plan_id',
  upgrade_from_customer_membership: 'customer_membership_id',
  downgrade_from_customer_membership: 'customer_membership_id',
  joining_fee: 'joining_fee_id',
  event: 'event_id',
  course_date_series: 'course_date_series_id',
  course_date: 'event_id',
  customer_membership: 'customer_membership_id',
  customer_membership_checkout_item: 'customer_membership_item_id',
  account_entry: 'account_entry_id',
  store_product_variant: 'store_product_variant_id',
  store_order_item: 'store_order_item_id',
} as const satisfies Record<string, keyof ItemColumns & `${string}_id`>;
export type Named = keyof typeof NAMED;

/** The properties of a body that say something of an item and name nothing. */
export const SAID = [
  'description',
  'unit_price',
  'purchase_type',
  'venue',
  'recipient',
  'recipient_email',
  'recipient_name',
  'deliver_on_date',
  'appointment_slot',
  'room_rental_slot',
  'image',
] as const;
export type Said = (typeof SAID)[number];
export type SentValues = { readonly [Name in Said]?: string | number | null };

/** An item that somebody wants to add; nothing is stored yet. */
export interface Wanted extends ItemColumns {
  readonly customer_id: number;
  /** absent: one */
  readonly quantity?: number;
}

/** Where an item is or will be: for its rules. */
export interface Around {
  readonly checkout: CheckoutRow;
  /** what is in the checkout already */
  readonly items: readonly ItemRow[];
}

/** What the price of an item is made of. Amounts are minor units. */
export interface PriceFacts {
  /** what it is, as the invoice says it */
  readonly description: string;
  readonly unitPrice: number;
  /** of a recurring plan: what each further billing period costs */
  readonly recurringPrice: number | null;
  /** what decides about fees and taxes; null: it has none */
  readonly taxed: { readonly type: PurchaseType; /** id */ readonly venue: number | null } | null;
  /** what decides about discounts; null: none applies */
  readonly discounted: {
    readonly type: 'event' | 'course' | 'membership' | 'joining_fee' | 'store';
    readonly objects: CodeItem['objects'];
  } | null;
  /** what is left of the membership that this one replaces */
  readonly credit: number;
}

/** What the customer got, as the invoice names it. */
export interface Got {
  readonly object: string;
  readonly id: number;
  readonly name: string;
  /** an account entry that the line collects */
  readonly entry?: number;
  /** the type of the line, where only this says it */
  readonly line?: LineType;
  /** the price of the line, where an entry that it collects has fees and taxes of its own */
  readonly price?: Price;
  /** credits that the invoice takes off: what was left of another membership */
  readonly credits?: readonly {
    readonly entry: number;
    /** below 0 */
    readonly price: Price;
    readonly description: string;
    /** whose account it is on */
    readonly customer: number;
  }[];
}

/** An item that is being bought. */
export interface Buying {
  readonly checkout: CheckoutRow;
  readonly item: ItemRow;
  /** everything that is bought with it, itself included */
  readonly items: readonly ItemRow[];
  /** what was paid for it before fees and taxes, minor units */
  readonly paid: number;
  /** the part of `credit_minor` that the total has room for */
  readonly creditUsed: number;
  /** what items before it got, by their ids */
  readonly got: ReadonlyMap<number, Got>;
}

/**
 * What is set aside for items while their checkout is open, so that nobody else buys it. Items of several kinds can share
 * one: each function gets all of its items in a checkout. They are called through `held.ts`.
 */
export interface Held {
  /** locks what is or will be held, in the order of its ids, before anything is read to decide on it */
  lock(work: Work, items: readonly Wanted[]): Promise<void>;
  /** locks what is needed to give items to customers as well; the same as `lock` if it is left out */
  lockToTake?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /** sets it aside for items that have nothing yet; refuses what is no longer available. `until`: epoch ms */
  hold(work: Work, items: readonly ItemRow[], until: number): Promise<void>;
  /** holds it for longer, and returns the ids of items that have lost it */
  extend(work: Work, items: readonly ItemRow[], how: Extend): Promise<readonly number[]>;
  /** gives it back; what is not held any more is left alone */
  release(work: Work, items: readonly ItemRow[]): Promise<void>;
}

export interface Extend {
  /** epoch ms */
  readonly until: number;
  /** a payment for it runs, so that it passes to nobody else; absent: that does not change */
  readonly paying?: boolean;
}

export interface ItemKind {
  readonly type: ItemType;
  /** for the reference */
  readonly description: string;
  readonly needs: readonly Named[];
  readonly takes?: readonly Named[];
  /** what a caller sends that names nothing, and how it is read into columns; complains to `issues` */
  readonly says?: {
    readonly properties: readonly Said[];
    /** those of them that may be left out */
    readonly optional?: readonly Said[];
    readonly read: (work: Work, sent: SentValues, issues: Issues) => Partial<ItemColumns>;
  };
  /** can be bought by somebody without a name: nothing of it belongs to a person */
  readonly forWalkIns?: true;
  /** comes and goes with other items, and nobody adds or removes it: where it comes from */
  readonly automatic?: string;
  /** customers can't add it themselves */
  readonly byStaffAlone?: true;
  /** more than one can be bought at a time */
  readonly several?: true;
  /** staff can't set another price: why not, and what to do instead */
  readonly fixed?: string;
  /** what is set aside for it while its checkout is open */
  readonly holds?: Held;
  /** bought in an order: what others need comes first */
  readonly rank: number;
  /** what an item gets depends on no other: they are all given at the same time, after the others */
  readonly independent?: true;
  /**
   * Whether it can be bought at all is only known by trying: it is tried and undone when it is added, and before anybody
   * pays.
   */
  readonly tried?: true;
  /** the type of its line on an invoice */
  readonly line: () => LineType;
  /** fills in what follows from what was sent; refuses what makes no sense */
  resolve?<W extends Wanted>(work: Work, wanted: W): Promise<W>;
  /** makes what is to be held, once everything else that the checkout holds is locked */
  take?<W extends Wanted>(work: Work, wanted: W): Promise<W>;
  /** refuses what can't be bought, and says what else is to be known of it */
  check(work: Work, wanted: Wanted, around: Around): Promise<void>;
  /** of several items of this kind, by id; refuses what can't be bought any more */
  facts(work: Work, items: readonly ItemRow[], around: Around): Promise<ReadonlyMap<number, PriceFacts>>;
  /** another item that comes and goes with it */
  brings?(work: Work, item: ItemRow): Promise<(Wanted & { readonly type: ItemType }) | null>;
  /** a payment for items of this kind begins: their checkout becomes `pending` */
  paying?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /** that payment is over and did not buy them: their checkout opens again, or ends */
  reopened?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /** gives the customer what they bought */
  fulfil(work: Work, buying: Buying): Promise<Got>;
  /** all of a checkout is fulfilled and on an invoice. `got`: ids of what the customer got for items of this kind */
  billed?(work: Work, got: readonly number[], invoice: number): Promise<void>;
}

/** Nothing is named. */
export const NOTHING: ItemColumns = {
  membership_id: null,
  payment_plan_id: null,
  joining_fee_id: null,
  event_id: null,
  slot: null,
  course_date_series_id: null,
  customer_membership_id: null,
  customer_membership_item_id: null,
  account_entry_id: null,
  store_product_variant_id: null,
  store_order_item_id: null,
  quick_name: null,
  quick_amount_minor: null,
  quick_purchase_type: null,
  quick_venue_id: null,
  gift_recipient_id: null,
  gift_email: null,
  gift_name: null,
  gift_deliver_on: null,
  gift_amount_minor: null,
  gift_image_id: null,
};

/** Facts of each item, one after the other: for kinds of which a checkout has few. */
export async function factsOfEach(
  items: readonly ItemRow[],
  factsOf: (item: ItemRow) => Promise<PriceFacts>,
): Promise<Map<number, PriceFacts>> {
  const found = new Map<number, PriceFacts>();
  for (const item of items) found.set(item.id, await factsOf(item));
  return found;
}
