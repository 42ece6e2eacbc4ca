/** A form of settings that exist once, as part of the page. Only changed values are sent. */
import { useEffect, useRef } from 'react';
import { askedOf, callOf, useRead, type Read } from './call.ts';
import { changeOf, Fields } from './fields/fields.tsx';
import { Conflicts } from './conflicts.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { readBusinesses } from '../../app/calls.ts';
import { ProposalFields } from '../../changes/proposal-form.tsx';
import { typedIn } from './typed-in.ts';
import { ui } from '../../ui/words.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useOpened } from './use-opened.ts';
import { WhoChanged } from '../../ui/history/index.tsx';
import { labelsIn, words } from './words.ts';
import type { FormOf } from './declared/setting.ts';
import type { Typed } from './values.ts';

export function Form({ form }: { readonly form: FormOf }) {
  const { id } = useBusiness();
  const read = useRead(form, id);
  return (
    <section className="card setting-form" aria-labelledby={form.name}>
      <h2 id={form.name}>{words.say(`form.${form.name}` as 'form.profile')}</h2>
      {read.error && !read.data ? <Failed error={read.error} again={() => void read.refetch()} /> : null}
      {!read.data && !read.error ? <Loading /> : null}
      {read.data ? (
        <OpenForm form={form} first={read.data} readAgain={async () => (await read.refetch()).data ?? null} />
      ) : null}
    </section>
  );
}

interface OpenFormProps {
  readonly form: FormOf;
  readonly first: Read;
  readonly readAgain: () => Promise<Read | null>;
}

function OpenForm({ form, first, readAgain }: OpenFormProps) {
  const business = useBusiness();
  const [{ at }] = useAddress();
  const around = useRef<HTMLDivElement>(null);
  const { opened, begin, keep, conflicts, settle } = useOpened(form, first, readAgain);
  useEffect(() => {
    const [of, ...name] = (at ?? '').split('.');
    if (of !== form.name) return;
    const field = around.current?.querySelector<HTMLElement>(
      `[name="${CSS.escape(name.join('.'))}"]:not([type=hidden])`,
    );
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, [at, form.name]);
  const typedNow = (): Typed => {
    const fields = around.current?.querySelector('form');
    return fields ? typedIn(fields) : {};
  };
  const made = async (): Promise<void> => {
    await begin(typedNow(), typedNow);
    // The name and the time zone of the business are shown around the page.
    if (form.write === 'PATCH /providers/{id}') await readBusinesses();
  };
  const title = words.say(`form.${form.name}` as 'form.profile');
  const subject = { object: 'provider', id: business.id, action: form.write, labels: labelsIn(form.name) };
  return (
    <div ref={around}>
      <ProposalFields
        key={opened.n}
        submit={ui.say('save')}
        onMade={() => void made()}
        proposal={(typed) => ({
          title: words.say('change', { what: title }),
          confirm: ui.say('save'),
          done: words.say('saved', { what: title }),
          undone: () => void made(),
          call: () =>
            callOf(business.id, form.write, {
              ...askedOf(form, business.id),
              ...(opened.etag && { ifMatch: opened.etag }),
              body: changeOf(form, opened, typed),
            }),
        })}
        next={({ code }) =>
          code === 'version_mismatch' ? (
            <Meanwhile subject={subject} onAgain={(element) => void keep(typedIn(element))} />
          ) : null
        }
      >
        {(errors) => (
          <>
            <Conflicts form={form.name} opened={opened} conflicts={conflicts} onSettle={settle} />
            <Fields of={form} opened={opened} errors={errors} />
          </>
        )}
      </ProposalFields>
      <WhoChanged {...subject} />
    </div>
  );
}
