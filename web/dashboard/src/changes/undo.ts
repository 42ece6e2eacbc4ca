/** How the interface takes a change back that was saved without a preview. */
import { Refused, type Call, type Rollcall } from 'rollcall-sdk';
import { actionOf, OPPOSITES } from './news.ts';
import { clientOf } from '../app/client.ts';
import { readAgain } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { words } from './words.ts';
import printed from './undo.json' with { type: 'json' };

type AnyCall = Call<any, any, any, boolean>;
type Undo = () => Promise<unknown>;

/** Collections whose entries can be deleted, and objects whose earlier values can be read. */
const DELETABLE = new Set(printed.deletable);
const READABLE = new Set(printed.readable);

const within = (business: number, operation: string, asked: object): AnyCall =>
  (clientOf(business).call as (operation: never, asked: object) => AnyCall).call(
    clientOf(business),
    operation as never,
    asked,
  );

/** Collections whose entries are removed in another way, by one call or several. */
const REMOVES: Readonly<Record<string, (client: Rollcall, answer: any, sent: any) => readonly AnyCall[]>> = {
  '/customer_registration_blocks': (client, { id }) => [
    client.call('PATCH /customer_registration_blocks/{id}', { params: { id }, body: { is_active: false } }),
  ],
  '/courses/{id}/date_series': (client, { id }) => [
    client.call('POST /course_date_series/{id}/cancel', { params: { id }, body: {} }),
  ],
  '/customers': (client, { id }) => [client.call('POST /customers/bulk_delete', { body: { customers: [id] } })],
  '/events': (client, { id, series, offering_type }, { new_offering_type: isNew }) => [
    client.call('POST /events/{id}/cancel', { params: { id }, body: series ? { applies_to: 'all' } : {} }),
    ...(isNew
      ? [client.call('PATCH /offering_types/{id}', { params: { id: offering_type }, body: { status: 'archived' } })]
      : []),
  ],
  '/store/inventory_adjustments': (client, _, { quantity, store_product_variant }) => [
    client.call('POST /store/inventory_adjustments', {
      body: { store_product_variant, quantity: -quantity, reason: 'correction' },
    }),
  ],
};

/** Takes a change back, and says so. */
async function takeBack(undo: Undo, undone?: () => void): Promise<void> {
  try {
    await undo();
    toast({ text: words.say('undone') });
    undone?.();
  } catch (error) {
    toast({ wrong: true, text: error instanceof Refused ? error.problem.message : words.say('not_undone') });
  }
  readAgain();
}

/**
 * Prepares to take a call back; run it before the call. The result takes it back, given the answer and its version;
 * null if it can't be taken back. `undone` runs afterwards.
 */
export async function prepareUndo(
  business: number,
  call: AnyCall,
  undone?: () => void,
): Promise<((answer: any, etag: string | null) => Promise<void>) | null> {
  const how = await undoOf(business, call);
  return how && ((answer, etag) => takeBack(how(answer, etag), undone));
}

/** Returns how to undo a call that is about to be sent. */
async function undoOf(business: number, call: AnyCall): Promise<((answer: any, etag: string | null) => Undo) | null> {
  const { operation, asked } = call;
  const [method, path] = operation.split(' ', 2);
  const again = (name: string, more: object) => (): Promise<unknown> =>
    within(business, name, { params: asked.params, ...more }).answer();
  if (method === 'POST' && path in REMOVES)
    return (answer) => async () => {
      for (const one of REMOVES[path](clientOf(business), answer, asked.body)) await one.answer();
    };
  if (method === 'POST' && DELETABLE.has(path))
    return ({ id }) => again(`DELETE ${path}/{id}`, { params: { ...asked.params, id } });
  const action = actionOf(operation);
  if (action !== undefined && action in OPPOSITES)
    return () => again(`POST ${path.replace(/\w+$/, OPPOSITES[action])}`, { body: asked.body });
  if ((method === 'PATCH' || method === 'PUT') && READABLE.has(path)) {
    const names = Object.keys(asked.body ?? {});
    const before = (await within(business, `GET ${path}`, { params: asked.params }).answer()).value;
    const values = Object.fromEntries(names.map((name) => [name, before?.[name]]));
    if (Object.values(values).includes(undefined)) return null;
    return (_, etag) => again(operation, { body: values, ...(etag && { ifMatch: etag }) });
  }
  return null;
}
