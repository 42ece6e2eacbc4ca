import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { dateAt } from '../../../words/times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import { words as ofMemberships } from '../../../memberships/words.ts';
import type { Owned } from './memberships.tsx';

export interface MembershipChangeProps {
  readonly one: Owned;
  readonly onClose: () => void;
}

export function Extend({ one, onClose }: MembershipChangeProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('do.extend.of', { name: one.name })}
      onClose={onClose}
      proposal={({ expiration_date = '' }) => ({
        title: words.say('do.extend.of', { name: one.name }),
        confirm: words.say('do.extend'),
        done: words.say('extend.done', { name: one.name }),
        call: () =>
          clientOf(business).call('POST /customer_memberships/{id}/extend_expiration', {
            params: { id: one.id },
            body: { expiration_date },
          }),
      })}
    >
      {(errors) => (
        <Field label={words.say('field.expiration_date')} errors={[...errors('expiration_date'), ...errors('days')]}>
          <input name="expiration_date" type="date" defaultValue={one.expiration_date ?? ''} autoFocus />
        </Field>
      )}
    </ProposalForm>
  );
}

export function CancelMembership({ one, onClose }: MembershipChangeProps) {
  const { id: business, timezone } = useBusiness();
  const [how, setHow] = useState<'agreed' | 'day'>('agreed');
  return (
    <ProposalForm
      title={words.say('do.cancel.of', { name: one.name })}
      onClose={onClose}
      proposal={({ forced_expiration_date }) => ({
        title: words.say('do.cancel.of', { name: one.name }),
        confirm: words.say('cancel.confirm'),
        done: words.say('cancel.done', { name: one.name }),
        grave: true,
        call: () =>
          clientOf(business).call('POST /customer_memberships/{id}/cancel', {
            params: { id: one.id },
            body: how === 'day' ? { forced_expiration_date: forced_expiration_date ?? '' } : {},
          }),
      })}
    >
      {(errors) => (
        <>
          <fieldset>
            <legend>{words.say('cancel.when')}</legend>
            {(['agreed', 'day'] as const).map((one) => (
              <label key={one} className="box">
                <input type="radio" name="how" checked={how === one} onChange={() => setHow(one)} />{' '}
                {words.say(`cancel.${one}`)}
              </label>
            ))}
          </fieldset>
          {how === 'day' ? (
            <Field label={words.say('field.expiration_date')} errors={errors('forced_expiration_date')}>
              <input name="forced_expiration_date" type="date" defaultValue={dateAt(Date.now(), timezone)} />
            </Field>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}

export function Share({ one, onClose }: MembershipChangeProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const shared = useCall('GET /customer_memberships/{id}/share_status', { params: { id: one.id } });
  const withFamily = (family: boolean): void => {
    const asked = { params: { id: one.id }, body: { family: true } };
    void propose({
      title: ofMemberships.say(family ? 'share.family.start' : 'share.family.stop'),
      done: ofMemberships.say('share.family.done'),
      call: () =>
        family
          ? clientOf(business).call('POST /customer_memberships/{id}/share', asked)
          : clientOf(business).call('POST /customer_memberships/{id}/unshare', asked),
    });
  };
  const share = async (customer: number, name: string): Promise<void> => {
    const outcome = await propose({
      title: words.say('share.title', { name }),
      confirm: words.say('do.share'),
      done: words.say('share.done', { name }),
      call: () =>
        clientOf(business).call('POST /customer_memberships/{id}/share', {
          params: { id: one.id },
          body: { customers: [customer] },
        }),
    });
    if (outcome.made) onClose();
  };
  const unshare = async (customer: number, name: string): Promise<void> => {
    const outcome = await propose({
      title: words.say('share.stop.title', { name }),
      confirm: words.say('share.stop'),
      done: words.say('share.stopped', { name }),
      call: () =>
        clientOf(business).call('POST /customer_memberships/{id}/unshare', {
          params: { id: one.id },
          body: { customers: [customer] },
        }),
    });
    if (outcome.made) onClose();
  };
  return (
    <Dialog title={words.say('do.share.of', { name: one.name })} onClose={onClose}>
      {shared.data ? (
        <p>
          {shared.data.family ? `${ofMemberships.say('share.family')} ` : null}
          <button type="button" className="second" onClick={() => withFamily(!shared.data.family)}>
            {ofMemberships.say(shared.data.family ? 'share.family.stop' : 'share.family.start')}
          </button>
        </p>
      ) : null}
      <ul className="plain-list">
        {one.shared_with.map(({ id, first_name, last_name }) => {
          const name = `${first_name ?? ''} ${last_name ?? ''}`.trim();
          return (
            <li key={id}>
              {name}{' '}
              <button type="button" className="plain" onClick={() => void unshare(id, name)}>
                {words.say('share.stop')}
              </button>
            </li>
          );
        })}
      </ul>
      <label htmlFor="share">{words.say('share.with')}</label>
      <FindCustomer
        id="share"
        label={words.say('share.with')}
        onChoose={({ id, label }) => void share(id, label)}
        autoFocus
      />
    </Dialog>
  );
}
