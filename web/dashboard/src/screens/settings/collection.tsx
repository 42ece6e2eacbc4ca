/** A collection of objects: a list, and a dialog for each. */
import { useEffect, useState } from 'react';
import { Added, Changed, titleOf } from './object.tsx';
import { callOf } from './call.ts';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import type { Answer } from './values.ts';
import { PERMISSIONS, permissionOf } from './declared/staff.ts';
import { Reorder } from '../../changes/reorder.tsx';
import { Connection, NewWays, Way } from './ways.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { labelOf, words } from './words.ts';
import type { CollectionOf } from './declared/setting.ts';

const isArchived = ({ archived, archived_at, status }: Answer): boolean =>
  Boolean(archived || archived_at) || status === 'archived';

/** Returns the settings of an entry that the list shows. */
const markers = ({ settings }: CollectionOf): string[] =>
  settings.flatMap(({ name, shown }) => (name === 'archived' || name === 'status' ? [shown ?? name] : []));

export function Collection({ collection }: { readonly collection: CollectionOf }) {
  const [{ open, at }, go] = useAddress();
  const { id: business } = useBusiness();
  const [ordering, setOrdering] = useState(false);
  const { name } = collection;
  const list = usePages(collection.list as 'GET /venues', {
    query: { ...collection.query, page_size: 50 } as object,
    ...(collection.versioned && {
      fields: ['id', ...collection.titles, ...markers(collection), ...[collection.also ?? []].flat()] as never,
    }),
  });
  const [of, id] = (open ?? '').split(':');
  const close = (): void => go({ open: undefined });
  useEffect(() => {
    if (at === name) document.getElementById(name)?.scrollIntoView({ block: 'center' });
  }, [at, name]);
  const next: readonly NextStep[] = collection.add
    ? [
        {
          label: words.say(`add.${name}` as 'add.venues'),
          needs: collection.needs,
          act: () => go({ open: `${name}:new` }),
        },
      ]
    : [];
  return (
    <section className="setting-form" aria-labelledby={name}>
      <div className="screen-top">
        <h2 id={name}>{words.say(`form.${name}` as 'form.profile')}</h2>
        <span className="tags">
          {collection.order ? (
            <button type="button" className="second" onClick={() => setOrdering(true)}>
              {words.say('order')}
            </button>
          ) : null}
          <NextSteps list={list} next={next} />
        </span>
      </div>
      {collection.name === 'processors' ? <NewWays /> : null}
      <Listed list={list} none={words.say('nothing_there')} next={next}>
        {(all) => (
          <ul className="rows">
            {(all as readonly Answer[]).map((entry) => (
              <li key={entry.id}>
                <span>{titleOf(collection, entry)}</span>
                {entry.customised === false ? null : <Second collection={collection} entry={entry} />}
                {collection.also === 'permissions' ? <Granted permissions={entry.permissions} /> : null}
                {collection.name === 'processors' ? <Way entry={entry} /> : null}
                {isArchived(entry) ? <span className="tag">{words.say('archived')}</span> : null}
                <button
                  type="button"
                  className="second end"
                  aria-label={words.say('edit', { what: titleOf(collection, entry) })}
                  onClick={() => go({ open: `${name}:${entry.id}` })}
                >
                  {words.say('edit.short')}
                </button>
                {collection.name === 'processors' ? <Connection entry={entry} /> : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {ordering && collection.order && list.data ? (
        <Reorder
          title={words.say('order.of', { what: words.say(`form.${name}` as 'form.profile') })}
          all={list.data.pages
            .flatMap(({ results }) => results as readonly Answer[])
            .map((entry) => ({ id: entry.id, name: titleOf(collection, entry) }))}
          done={words.say('ordered')}
          call={(ids) => callOf(business, collection.order!.change, { body: { [collection.order!.as]: ids } })}
          onClose={() => setOrdering(false)}
        />
      ) : null}
      {of === name && id === 'new' ? <Added collection={collection} onClose={close} /> : null}
      {of === name && id !== 'new' ? <Changed key={id} collection={collection} id={id} onClose={close} /> : null}
    </section>
  );
}

/** Summarizes permissions. */
function Granted({ permissions }: { readonly permissions: Answer | null }) {
  const granted = PERMISSIONS.filter((one) => permissions?.[one]);
  return (
    <span className="soft small">
      {granted.length === 0
        ? words.say('role.everybody')
        : granted.map((one) => labelOf('staff', { name: permissionOf(one) })).join(', ')}
    </span>
  );
}

/** Shows the default word that a business's word replaces. */
function Second({ collection, entry }: { readonly collection: CollectionOf; readonly entry: Answer }) {
  const usual = entry[collection.titles[1] ?? ''];
  return usual && usual !== titleOf(collection, entry) ? <span className="soft">{usual}</span> : null;
}
