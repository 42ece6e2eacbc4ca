/** A dialog for one object of a collection: a new or an existing one. */
import { useState } from 'react';
import { askedOf, callOf, useRead, type Read } from './call.ts';
import { changeOf, Fields } from './fields/fields.tsx';
import { Conflicts } from './conflicts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { PERMISSIONS, permissionOf } from './declared/staff.ts';
import { ProposalFields } from '../../changes/proposal-form.tsx';
import { Role } from './role.tsx';
import { typedIn } from './typed-in.ts';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { useOpened } from './use-opened.ts';
import { usePropose } from '../../changes/change.tsx';
import { WhoChanged } from '../../ui/history/index.tsx';
import { labelsIn, words } from './words.ts';
import type { Answer, Typed } from './values.ts';
import type { CollectionOf } from './declared/setting.ts';

export const titleOf = ({ titles }: CollectionOf, entry: Answer): string =>
  String(titles.map((name) => entry[name]).find((value) => value) ?? words.say('nameless'));

const calledBy = ({ called, titles }: CollectionOf, typed: Typed): string =>
  (called ?? titles.slice(0, 1)).flatMap((name) => typed[name] || []).join(' ');

/** Returns the permissions that the current values grant. */
const grantedIn = (now: Typed): ReadonlySet<string> =>
  new Set(PERMISSIONS.filter((one) => now[permissionOf(one)] !== undefined));

interface ObjectProps {
  readonly collection: CollectionOf;
  readonly onClose: () => void;
}

export function Added({ collection, onClose }: ObjectProps) {
  return (
    <Dialog title={words.say(`add.${collection.name}` as 'add.venues')} onClose={onClose}>
      <ObjectForm
        collection={collection}
        id={null}
        first={{ answer: null, etag: null }}
        readAgain={async () => null}
        onClose={onClose}
      />
    </Dialog>
  );
}

export function Changed({ collection, id, onClose }: ObjectProps & { readonly id: string }) {
  const read = useRead(collection, id);
  const [first, setFirst] = useState<Read | null>(null);
  if (read.data && !first) setFirst(read.data);
  return (
    <Dialog title={first ? titleOf(collection, first.answer) : ui.say('loading')} onClose={onClose}>
      {read.error && !first ? <Failed error={read.error} again={() => void read.refetch()} /> : null}
      {!first && !read.error ? <Loading /> : null}
      {first ? (
        <ObjectForm
          collection={collection}
          id={id}
          first={first}
          readAgain={async () => (await read.refetch()).data ?? null}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  );
}

interface ObjectFormProps extends ObjectProps {
  /** null for a new one */
  readonly id: string | null;
  readonly first: { readonly answer: Answer | null; readonly etag: string | null };
  readonly readAgain: () => Promise<Read | null>;
}

function ObjectForm({ collection, id, first, readAgain, onClose }: ObjectFormProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { opened, keep, conflicts, settle } = useOpened(collection, first, readAgain);
  const title = first.answer ? titleOf(collection, first.answer) : '';
  const remove = (): void =>
    void propose({
      title: words.say('delete', { what: title }),
      confirm: words.say('delete.short'),
      done: words.say('deleted', { what: title }),
      grave: true,
      call: () => callOf(business, collection.remove!, { params: { id } }),
    }).then(({ made }) => made && onClose());
  const subject =
    id === null
      ? null
      : collection.object === null
        ? { object: 'provider', id: business, action: collection.change, labels: labelsIn(collection.name) }
        : { object: collection.object, id: Number(id), labels: labelsIn(collection.name) };
  return (
    <>
      <ProposalFields
        key={opened.n}
        submit={ui.say('save')}
        onMade={onClose}
        actions={
          <>
            <button type="button" className="second" onClick={onClose}>
              {ui.say('cancel')}
            </button>
            {id !== null && collection.remove ? (
              <button type="button" className="second end" onClick={remove}>
                {words.say('delete.short')}
              </button>
            ) : null}
          </>
        }
        proposal={(typed) => {
          const what = title || calledBy(collection, typed) || words.say('nameless');
          const body = changeOf(collection, opened, typed);
          return {
            title: words.say(id === null ? 'create' : 'change', { what }),
            confirm: ui.say('save'),
            done: words.say('saved', { what }),
            call: () =>
              id === null
                ? callOf(business, collection.add!, { body })
                : callOf(business, collection.change, {
                    ...askedOf(collection, id),
                    ...(opened.etag && { ifMatch: opened.etag }),
                    body,
                  }),
          };
        }}
        next={({ code }) =>
          code === 'version_mismatch' ? (
            <Meanwhile subject={subject} onAgain={(element) => void keep(typedIn(element))} />
          ) : null
        }
      >
        {(errors) => (
          <>
            <Conflicts form={collection.name} opened={opened} conflicts={conflicts} onSettle={settle} />
            <Fields
              of={collection}
              opened={opened}
              errors={errors}
              {...(collection.also === 'permissions' && { more: (now) => <Role permissions={grantedIn(now)} /> })}
            />
          </>
        )}
      </ProposalFields>
      {subject ? <WhoChanged {...subject} /> : null}
    </>
  );
}
