/** Items that a reader went on without, and what is done when somebody wants them tried once more. */
import { actOn, itemsWhere, type DispatchOptions } from './read-portion.ts';
import { sql } from '../db/sql.ts';

interface SetAside {
  readonly provider: number;
  readonly reader: string;
  readonly seq: number;
}

const AT_ONCE = 100;

/** Gives items that were set aside to their readers again, each in a transaction of its own; one that passes is set aside no more. */
export async function readAgain(o: DispatchOptions): Promise<void> {
  const wanted = await o.db.acrossTenants('items of every business that were set aside are tried again', (tx) =>
    tx.rows<SetAside>(sql`SELECT provider_id AS provider, reader, seq FROM feed_item_set_aside WHERE again ORDER BY provider_id, seq LIMIT ${AT_ONCE}`),
  );
  for (const one of wanted) await tryAgain(o, one);
}

async function tryAgain(o: DispatchOptions, { provider, reader: name, seq }: SetAside): Promise<void> {
  const reader = o.registry.readers.get(name);
  const tenant = await o.tenants.of(provider);
  const mine = sql`provider_id = ${provider} AND reader = ${name} AND seq = ${seq}`;
  try {
    if (!reader || !tenant) throw new Error(`there is no reader "${name}" any more`);
    await o.db.transaction(provider, async (tx) => {
      // Whoever deletes the row acts on the item; another worker waits here and finds nothing.
      if ((await tx.run(sql`DELETE FROM feed_item_set_aside WHERE ${mine} AND again`)) === 0) return;
      const items = await itemsWhere(tx, sql`provider_id = ${provider} AND seq = ${seq}`);
      await actOn(o, { tx, tenant, reader, items });
    });
    o.log.info({ reader: name, provider, seq }, 'a feed item that was set aside has been read');
  } catch (err) {
    const { message } = err as Error;
    await o.db.transaction(provider, (tx) => tx.run(sql`UPDATE feed_item_set_aside SET again = false, attempts = attempts + 1, error = ${message.slice(0, 2000)} WHERE ${mine}`));
    o.log.error({ err, reader: name, provider, seq }, 'a feed item that was set aside failed again');
  }
}
