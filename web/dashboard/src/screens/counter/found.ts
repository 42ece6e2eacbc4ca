/** Finds items for sale by the name or code that somebody types or scans. */
import { amountOf, dateAt, timeOf } from '../../words/times.ts';
import { readQuick, type NewLine } from './cart.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useDeferred } from '../../app/deferred.ts';
import { useNow } from '../../app/now.ts';
import { useSoldMemberships } from '../../memberships/sold.ts';
import { words } from './words.ts';
import type { Choice } from '../../ui/combobox.tsx';

const MAX_ROWS = 6;
/** Higher than the number of any business in one day. */
const MAX_EVENTS = 250;
/** Shorter codes are typed, not scanned. */
const IS_CODE = /^\S{6,100}$/;

export type Found = Choice & { readonly line: NewLine };

const VARIANT = ['id', 'name', 'price', 'in_stock', 'available'] as const;

const variantOf = ({
  id,
  name,
  price,
}: {
  id: number;
  name: string;
  price: Parameters<typeof amountOf>[0];
}): Found => ({
  key: `variant ${id}`,
  label: name,
  more: amountOf(price),
  line: { label: name, price: amountOf(price), item: { store_product_variant: id } },
});

export function useFoundItems(text: string) {
  const { timezone } = useBusiness();
  const typed = text.trim();
  const wanted = useDeferred(typed);
  const enabled = wanted !== '';
  const now = useNow();
  const today = dateAt(now, timezone);
  const scanned = useCall(
    'GET /store/product_variants',
    { query: { barcode: wanted, for_sale: true, page_size: MAX_ROWS }, fields: VARIANT },
    { enabled: enabled && IS_CODE.test(wanted) },
  );
  const variants = useCall(
    'GET /store/product_variants',
    { query: { query: wanted.slice(0, 200), for_sale: true, page_size: MAX_ROWS }, fields: VARIANT },
    { enabled },
  );
  const memberships = useSoldMemberships({ name_contains: wanted.slice(0, 200), page_size: MAX_ROWS }, { enabled });
  const events = useCall('GET /events', {
    query: {
      local_starts_at_gte: `${today}T00:00`,
      local_starts_at_lte: `${today}T23:59:59`,
      status: ['active'],
      sort: ['start'],
      page_size: MAX_EVENTS,
    },
    fields: ['id', 'name', 'starts_at', 'ends_at', 'timezone', 'is_full'],
  });
  const cards = useCall('GET /gift_cards/config', {});
  const inStock = [...(scanned.data?.results ?? []), ...(variants.data?.results ?? [])].filter(
    ({ id, in_stock }, n, all) => in_stock && all.findIndex((one) => one.id === id) === n,
  );
  const letters = wanted.toLowerCase();
  const classes = (events.data?.results ?? [])
    .filter(
      ({ name, ends_at, is_full }) => !is_full && Date.parse(ends_at) > now && name.toLowerCase().includes(letters),
    )
    .slice(0, MAX_ROWS)
    .map(({ id, name, starts_at, timezone: zone }): Found => {
      const price = words.say('find.drop_in', { time: timeOf(starts_at, zone) });
      return { key: `event ${id}`, label: name, more: price, line: { label: name, price, item: { event: id } } };
    });
  const plans = memberships.sold.map(({ key, name, price, item }): Found => ({
    key: `membership ${key}`,
    label: name,
    more: price,
    line: { label: name, price, item },
  }));
  const choices = enabled
    ? [...inStock.map(variantOf), ...classes, ...plans, ...cardsOf(wanted, cards.data), ...quickOf(wanted)]
    : [];
  const error = variants.error ?? memberships.error ?? scanned.error ?? null;
  const settled =
    wanted === typed && ![scanned, variants, memberships].some(({ isFetching, isLoading }) => isFetching || isLoading);
  return { choices, error: enabled ? error : null, settled };
}

/** Matches `Gift card` or its beginning, with an optional amount. */
function cardsOf(
  wanted: string,
  config: { readonly is_enabled_provider_site: boolean; readonly amount_choices: readonly string[] } | undefined,
): Found[] {
  const name = words.say('find.gift_card');
  const quick = readQuick(wanted);
  const named = (quick?.description ?? wanted).toLowerCase();
  if (!config?.is_enabled_provider_site || named.length < 2 || !name.toLowerCase().startsWith(named)) return [];
  return (quick ? [quick.amount] : config.amount_choices).map((amount) => ({
    key: `card ${amount}`,
    label: name,
    more: amount,
    line: { label: name, price: amount, item: { item_type: 'GIFT_CARD', unit_price: amount } },
  }));
}

function quickOf(wanted: string): Found[] {
  const quick = readQuick(wanted);
  if (!quick) return [];
  const { description, amount } = quick;
  return [
    {
      key: 'quick',
      label: description,
      more: words.say('find.quick', { amount }),
      line: { label: description, price: amount, item: { description, unit_price: amount, purchase_type: 'store' } },
    },
  ];
}
