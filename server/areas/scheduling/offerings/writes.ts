/** Writes of offering types and their categories, for the endpoints of this area, the importer and the demo. */
import { minorOf } from '../../../kernel/api/amount.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { instructorLink, SCHEDULE_TYPES, timelineLink, writable } from './offering-type.ts';
import { offeringTypeCategoryFeed, offeringTypeFeed } from './feed.ts';
import { roomLink, slotColumns } from './slot-settings.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Values of an offering type; undefined keeps the default or the current value. */
export type OfferingTypeValues = Partial<ValueOf<typeof writable>> & { readonly status?: 'active' | 'archived' };

type NewOfferingType = OfferingTypeValues & { name: string; schedule_type?: (typeof SCHEDULE_TYPES)[number] };

/** Creates an offering type and returns its id. */
export async function createOfferingType(work: Work, values: NewOfferingType): Promise<number> {
  const id = await insertRow(work, 'offering_type', {
    ...columnsOf(work, values),
    schedule_type: values.schedule_type,
  });
  await link(work, id, values);
  work.record(offeringTypeFeed.created, id, { offering_type: id });
  return id;
}

export async function changeOfferingType(work: Work, id: number, values: OfferingTypeValues): Promise<void> {
  const changed = changedNames(values);
  if (changed.length === 0) return;
  await updateRow(work, 'offering_type', id, columnsOf(work, values));
  await link(work, id, values);
  work.record(offeringTypeFeed.updated, id, { offering_type: id, changed });
}

/** Creates a category and returns its id. */
export async function createCategory(
  work: Work,
  { name, image }: { readonly name: string; readonly image?: number | null },
): Promise<number> {
  const id = await insertRow(work, 'offering_type_category', { name, image_id: image });
  work.record(offeringTypeCategoryFeed.created, id, { offering_type_category: id });
  return id;
}

function columnsOf(work: Work, values: OfferingTypeValues & { schedule_type?: string }): Record<string, unknown> {
  const {
    category,
    order,
    image,
    dropin_price: price,
    online_dropin_price: online,
    color,
    background_color,
    instructors: _i,
    registration_timelines: _t,
    schedule_type: _s,
    appointment_settings: appointment,
    room_rental_settings: rental,
    ...plain
  } = values;
  return {
    ...plain,
    ...slotColumns(appointment === undefined ? rental : appointment),
    category_id: category,
    image_id: image,
    sort_order: order,
    color: color?.toLowerCase(),
    background_color: background_color?.toLowerCase(),
    dropin_price_minor: price === undefined ? undefined : minorOf('dropin_price', price, work.tenant.currency),
    online_dropin_price_minor: online && minorOf('online_dropin_price', online, work.tenant.currency),
  };
}

async function link(
  work: Work,
  id: number,
  { instructors, registration_timelines: timelines, appointment_settings: slots }: OfferingTypeValues,
): Promise<void> {
  for (const [to, ids] of [
    [instructorLink, instructors],
    [timelineLink, timelines],
    [roomLink, slots === undefined ? undefined : (slots?.default_venue_rooms ?? [])],
  ] as const) {
    if (ids) await replaceLinks(work, to.table, { column: to.parent, id }, { column: to.child, ids });
  }
}
