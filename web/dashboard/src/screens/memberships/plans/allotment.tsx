/** The allotment of a membership: how often it can be used, and for what. It is always replaced as a whole. */
import { useState } from 'react';
import type { AnswerOf } from 'rollcall-sdk';
import { Box, Boxes } from '../inputs.tsx';
import { checkedValues, oneOf } from '../typed.ts';
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { LimitFields, PERIODS, type Limit } from './limit.tsx';
import { None } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useCall } from '../../../app/calls.ts';
import { words } from '../words.ts';
import type { MembershipRead } from './read.ts';

type AllotmentRead = AnswerOf<'GET /memberships/{id}/allotment'>;

const TYPES = ['event', 'course'] as const;

export function Allotment({ membership }: { readonly membership: MembershipRead }) {
  const business = useBusiness();
  const { data, error, refetch } = useCall('GET /memberships/{id}/allotment', { params: { id: membership.id } });
  const [isEditing, setIsEditing] = useState(false);
  if (error && !data) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      {data.types.length === 0 ? (
        <None text={words.say('allotment.none')} />
      ) : (
        <ul className="rows">
          {data.period_limits.length === 0 ? <li>{words.say('allotment.unlimited')}</li> : null}
          {data.period_limits.map((limit) => (
            <li key={limit.period}>
              <strong>{limitOf(limit)}</strong>
              {limit.roll_over > 0 ? <span>{words.say('limit.rolls', { n: limit.roll_over })}</span> : null}
              {limit.offering_type_limits.map((own) => (
                <span key={own.offering_type.id} className="tag">
                  {words.say(own.is_extra ? 'limit.extra.of' : 'limit.within.of', {
                    n: own.max_uses,
                    name: own.offering_type.name,
                  })}
                </span>
              ))}
            </li>
          ))}
          <li className="soft">
            {[
              ...data.types.map((one) => words.say(`allotment.${one}`)),
              data.ignore_no_shows && words.say('allotment.no_shows'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </li>
        </ul>
      )}
      {may(business, 'super_admin') ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setIsEditing(true)}>
            {words.say('allotment.edit')}
          </button>
        </div>
      ) : null}
      {isEditing ? (
        <AllotmentForm membership={membership} allotment={data} onClose={() => setIsEditing(false)} />
      ) : null}
    </>
  );
}

const limitOf = ({ period, max_uses }: AllotmentRead['period_limits'][number]): string =>
  max_uses === null
    ? words.say('limit.none', { period: words.say(`per.${period}`) })
    : words.say('limit.of', { n: max_uses, period: words.say(`per.${period}`) });

interface FormProps {
  readonly membership: MembershipRead;
  readonly allotment: AllotmentRead;
  readonly onClose: () => void;
}

function AllotmentForm({ membership, allotment, onClose }: FormProps) {
  const { id: business } = useBusiness();
  const isRecurring = membership.type === 'recurring_plan';
  const [limits, setLimits] = useState<readonly Limit[]>(() => {
    const known = allotment.period_limits.map(({ period, max_uses, roll_over, offering_type_limits }) => ({
      period: oneOf(PERIODS, period),
      max: max_uses === null ? '' : String(max_uses),
      rolls: String(roll_over),
      own: offering_type_limits.map(({ offering_type, max_uses: max, is_extra }) => ({
        offering: String(offering_type.id),
        max: String(max),
        is_extra,
      })),
    }));
    // A pack is a fixed number of uses.
    if (known.length === 0 && membership.type === 'pack') return [{ period: 'total', max: '10', rolls: '0', own: [] }];
    return known;
  });
  const put = (at: number, limit: Limit): void => setLimits((all) => all.with(at, limit));
  const periods = PERIODS.filter((one) => isRecurring || one !== 'billing_period');
  const left = periods.filter((one) => !limits.some(({ period }) => period === one));
  const title = words.say('allotment.of', { name: membership.name });
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('save'),
        done: words.say('saved', { name: membership.name }),
        about: <p>{words.say('allotment.about')}</p>,
        call: () =>
          clientOf(business).call('PUT /memberships/{id}/allotment', {
            params: { id: membership.id },
            body: {
              types: checkedValues(typed, 'types').map((one) => oneOf(TYPES, one)),
              ignore_no_shows: typed.ignore_no_shows !== undefined,
              period_limits: limits.map(({ period, max, rolls, own }) => ({
                period,
                type: max === '' ? ('unlimited' as const) : ('limited' as const),
                max_uses: max === '' ? null : Number(max),
                roll_over: Number(rolls) || 0,
                offering_type_limits: own.map(({ offering, max: uses, is_extra }) => ({
                  offering_type: Number(offering),
                  max_uses: Number(uses),
                  is_extra,
                })),
              })),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Boxes legend={words.say('allotment.for')} errors={errors('types')}>
            {TYPES.map((one) => (
              <Box
                key={one}
                name={`types.${one}`}
                label={words.say(`allotment.${one}`)}
                checked={allotment.types.length === 0 ? one === 'event' : allotment.types.includes(one)}
              />
            ))}
          </Boxes>
          <Box name="ignore_no_shows" label={words.say('allotment.no_shows')} checked={allotment.ignore_no_shows} />
          <fieldset className="field">
            <legend>{words.say('limits')}</legend>
            <p className="hint">{words.say('limits.hint')}</p>
            {limits.map((limit, at) => (
              <LimitFields
                // The period of a limit can change while its field has the focus, so the period can't be the key.
                // oxlint-disable-next-line react/no-array-index-key
                key={at}
                at={at}
                limit={limit}
                periods={[limit.period, ...left]}
                errors={errors}
                onChange={(next) => put(at, next)}
                onRemove={() => setLimits((all) => all.toSpliced(at, 1))}
              />
            ))}
            {left.length > 0 ? (
              <button
                type="button"
                className="second"
                onClick={() => setLimits((all) => [...all, { period: left[0], max: '', rolls: '0', own: [] }])}
              >
                {words.say('limit.add')}
              </button>
            ) : null}
          </fieldset>
        </>
      )}
    </ProposalForm>
  );
}
