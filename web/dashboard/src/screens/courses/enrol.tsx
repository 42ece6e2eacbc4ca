/** Enrolls a customer: who, from which session on, and who pays. Impossible choices are refused with the reason. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { FindCustomer } from '../../ui/find-customer.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { PayAtDesk } from '../../money/pay-at-desk.tsx';
import { ProposalFields } from '../../changes/proposal-form.tsx';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { useSessions, type Run } from './read.ts';
import { useWait, type Someone } from './wait.ts';
import { nameOfRun, whenOf } from './labels.ts';
import { words } from './words.ts';

export interface EnrolProps {
  readonly run: Run;
  /** null if nobody is chosen yet */
  readonly first: Someone | null;
  readonly onClose: () => void;
}

export function Enrol({ run, first, onClose }: EnrolProps) {
  const [someone, setSomeone] = useState(first);
  const [selling, setSelling] = useState(false);
  const title = someone ? words.say('enrol.of', { name: someone.label }) : words.say('enrol');
  return (
    <Dialog title={title} onClose={onClose}>
      {!someone ? (
        <FindCustomer label={words.say('enrol.who')} placeholder={words.say('enrol.who')} onChoose={setSomeone} />
      ) : selling ? (
        <PayAtDesk
          customer={someone.id}
          items={[{ course_date_series: run.id }]}
          venue={run.venue?.id ?? null}
          title={words.say('sell.to', { name: someone.label })}
          confirm={words.say('sell')}
          done={words.say('enrol.done', { name: someone.label })}
          onSold={onClose}
          onCancel={() => setSelling(false)}
        >
          <p>{nameOfRun(run)}</p>
        </PayAtDesk>
      ) : (
        <Whom run={run} someone={someone} onDone={onClose} onSell={() => setSelling(true)} />
      )}
    </Dialog>
  );
}

interface WhomProps {
  readonly run: Run;
  readonly someone: Someone;
  readonly onDone: () => void;
  readonly onSell: () => void;
}

const COMPED = 'comped';
const FREE = 'free';
const ACCOUNT = 'account';

function Whom({ run, someone, onDone, onSell }: WhomProps) {
  const business = useBusiness();
  const now = useNow();
  const { id: customer, label: name } = someone;
  const { sessions } = useSessions(run.id);
  const memberships = useCall('GET /customer_memberships', {
    query: { owned_or_shared_with_customer: customer, status: ['active'], page_size: 50 },
    fields: ['id', 'name'],
  });
  // The first choice depends on the memberships, so the form waits for them.
  if (memberships.error) return <Failed error={memberships.error} again={() => void memberships.refetch()} />;
  if (!memberships.data) return <Loading />;
  const left = (sessions ?? []).filter(({ status, starts_at }) => status === 'active' && Date.parse(starts_at) > now);
  const isFree = run.price.decimal === 0;
  const params = { id: run.id };
  const wait = useWait(run.id);
  return (
    <ProposalFields
      onMade={onDone}
      proposal={({ pays = FREE, from }) => ({
        title: words.say('enrol.of', { name }),
        confirm: words.say('enrol.confirm'),
        done: words.say('enrol.done', { name }),
        call: () =>
          clientOf(business.id).call('POST /course_date_series/{id}/enroll', {
            params,
            body: {
              customer,
              ...(pays === COMPED
                ? { comped: true }
                : pays === FREE || pays === ACCOUNT
                  ? {}
                  : { customer_membership: Number(pays) }),
              ...(from && { from_session: Number(from) }),
            },
          }),
      })}
      actions={
        isFree || !may(business, 'pos') ? null : (
          <button type="button" className="second" onClick={onSell}>
            {words.say('sell')}
          </button>
        )
      }
      next={({ code }) =>
        code === 'course_full' ? (
          <button type="button" className="second" onClick={() => void wait(someone).then((made) => made && onDone())}>
            {words.say('wait')}
          </button>
        ) : null
      }
    >
      {(errors) => (
        <>
          <Field label={words.say('pays')} errors={[...errors('customer_membership'), ...errors('comped')]}>
            <select name="pays">
              {isFree ? <option value={FREE}>{words.say('paid_by.nothing')}</option> : null}
              {memberships.data.results.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
              {isFree ? null : <option value={ACCOUNT}>{words.say('paid_by.account')}</option>}
              {isFree ? null : <option value={COMPED}>{words.say('paid_by.comped')}</option>}
            </select>
          </Field>
          <Field label={words.say('from')} errors={errors('from_session')}>
            <select name="from">
              <option value="">{words.say('from.all', { n: left.length })}</option>
              {left.slice(1).map((session) => (
                <option key={session.id} value={session.id}>
                  {whenOf(session)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalFields>
  );
}
