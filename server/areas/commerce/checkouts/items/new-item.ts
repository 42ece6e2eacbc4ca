/** A request to add an item: which properties belong to which type, and who the item can be for. */
import { checkActsFor } from '../../../people/customers/index.ts';
import { invalid, Issues } from '../../../../kernel/base/problem.ts';
import { itemTypeOf } from '../rules/item-type.ts';
import { checkForWalkIn, isOfWalkIn } from '../walk-in.ts';
import { kindOf } from '../item-kinds/index.ts';
import { orderedItems } from '../item-kinds/store-product.ts';
import { isDropIn, membershipOf } from '../../../memberships/memberships/index.ts';
import { NAMED, NOTHING, SAID, type Named, type SentValues } from '../item-kinds/kind.ts';
import { scheduleOf } from '../item-kinds/slots.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { itemsOf, type CheckoutRow, type ItemColumns } from '../rows.ts';
import type { ItemType } from '../item-kinds/types.ts';
import type { NewItem } from '../item-kinds/kind.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

type Body = {
  readonly item_type?: ItemType;
  readonly customer?: number;
  readonly quantity?: number;
  readonly store_order?: number | null;
} & {
  readonly [Name in Named]?: number | string | null;
} & SentValues;

/** Infers the type from the other properties if it is left out. */
async function typeOf({ tx, providerId }: Work, body: Body): Promise<ItemType> {
  if (body.item_type !== undefined) return body.item_type;
  const named = typeof body.membership === 'number' ? await membershipOf(tx, providerId, body.membership) : undefined;
  const event = typeof body.event === 'number' ? await scheduleOf({ tx, providerId }, body.event) : undefined;
  const schedule = event === 'appointment' || event === 'room_rental' ? event : 'other';
  const type = itemTypeOf(body, named ? (isDropIn(named) ? 'drop_in' : named.type) : null, schedule);
  if (type === null)
    throw invalid('item_type', {
      staff: 'Send what is bought, for example `membership` or `event`, or the type of the item.',
      customer: 'Choose what you want to buy.',
    });
  return type;
}

/** Reports everything that is wrong with the item together, each under its property. */
export async function readItem(work: Work, checkout: CheckoutRow, body: Body): Promise<NewItem> {
  if ((body.store_order ?? null) !== null)
    throw invalid(
      'store_order',
      'Name its items with store_order_item, or check it out with POST /store/orders/checkout.',
    );
  const kind = kindOf({ item_type: await typeOf(work, body) });
  if (kind.automatic) throw invalid('item_type', `${kind.automatic} Leave it out.`);
  if (kind.byStaffAlone && work.viewer.mode !== 'provider')
    throw invalid('item_type', { staff: 'Only staff can add it.', customer: 'Only the business can add this.' });
  if (!kind.forWalkIns && (await isOfWalkIn(work, checkout))) checkForWalkIn(kind);
  const issues = new Issues();
  const columns: { -readonly [Name in keyof ItemColumns]: ItemColumns[Name] } = { ...NOTHING };
  for (const [name, column] of Object.entries(NAMED) as [Named, (typeof NAMED)[Named]][]) {
    const sent = body[name] ?? null;
    const needed = kind.needs.includes(name);
    if (sent === null) {
      if (needed) issues.add(name, 'This field is required.');
    } else if (needed || kind.takes?.includes(name)) columns[column] = idOf(name, sent, issues);
    else issues.add(name, `Does not belong to an item of the type ${kind.type}.`);
  }
  if ((body.quantity ?? 1) > 1 && !kind.several) issues.add('quantity', 'Only one can be bought at a time.');
  for (const name of SAID)
    if ((body[name] ?? null) !== null && !kind.says?.properties.includes(name))
      issues.add(name, `Does not belong to an item of the type ${kind.type}.`);
  if (kind.says) Object.assign(columns, kind.says.read(work, body, issues));
  issues.throwIfAny();
  const customer_id = body.customer ?? checkout.customer_id;
  const item = { item_type: kind.type, customer_id, quantity: body.quantity, ...columns };
  return (await kind.resolve?.(work, item)) ?? item;
}

/** Ids of items are numbers written as text. */
function idOf(name: string, sent: number | string, issues: Issues): number | null {
  if (typeof sent === 'number') return sent;
  if (/^[1-9]\d{0,14}$/.test(sent)) return Number(sent);
  issues.add(name, 'Must be the id of an item of this checkout.');
  return null;
}

/** Checks that the item is for the payer or a member of their family, and for a person the caller may act for. */
export async function checkFamily(work: Work, { customer_id: payer }: CheckoutRow, customer: number): Promise<void> {
  if (customer === payer) return;
  await checkActsFor(work, customer);
  const together = await work.tx.one(sql`
    SELECT FROM customer p JOIN customer c ON c.provider_id = p.provider_id AND c.family_id = p.family_id
    WHERE p.provider_id = ${work.providerId} AND p.id = ${payer} AND c.id = ${customer} AND c.deleted_at IS NULL`);
  if (!together)
    throw invalid('customer', {
      staff: 'The customer is not in the family of the payer. Create a checkout of their own.',
      customer: 'This person is not in your family.',
    });
}

/** Reads every item in a store order. */
export async function readOrder(work: Work, checkout: CheckoutRow, body: Body): Promise<NewItem[]> {
  const issues = new Issues();
  if (body.item_type !== undefined && body.item_type !== 'STR_PRO')
    issues.add('store_order', `Does not belong to an item of the type ${body.item_type}.`);
  for (const name of [...Object.keys(NAMED), 'quantity'] as const)
    if ((body[name as Named] ?? null) !== null) issues.add(name, 'Leave it out: the order says what is bought.');
  issues.throwIfAny();
  return orderedItems(work, body.store_order!, {
    customer: body.customer ?? checkout.customer_id,
    already: await itemsOf(work, checkout.id),
  });
}
