/** The settings of a door or a booking platform. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ListSelect } from '../../ui/list-select.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePlaces } from '../../app/places.ts';
import { words } from './words.ts';

export const KINDS = ['door', 'booking_platform'] as const;
const ADMITS = ['bookings', 'memberships', 'customers'] as const;

type Kind = (typeof KINDS)[number];

export interface Partner {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly status: 'active' | 'paused';
  readonly venue: number | null;
  readonly admits: (typeof ADMITS)[number];
  readonly opens_minutes_before: number;
  readonly checks_in: boolean;
  readonly places_per_event: number | null;
  readonly url: string;
}

interface Made {
  readonly name: string;
  readonly secret: string | null;
}

export interface PartnerFormProps {
  /** absent for a new one */
  readonly partner?: Partner;
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

const number = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);

export function PartnerForm({ partner, onClose, onMade }: PartnerFormProps) {
  const { id: business } = useBusiness();
  const venues = usePlaces().places?.venues ?? [];
  const [kind, setKind] = useState<Kind>(partner?.kind ?? 'door');
  const title = words.say(partner ? 'partner.edit' : 'partner.new');
  return (
    <ProposalForm<Made>
      title={title}
      submit={words.say(partner ? 'save' : 'partner.create')}
      onClose={onClose}
      onMade={onMade}
      proposal={({ name = '', venue, admits, opens_minutes_before: minutes, checks_in, places_per_event: places }) => ({
        title,
        confirm: words.say(partner ? 'save' : 'partner.create'),
        done: words.say(partner ? 'partner.changed' : 'partner.created'),
        call: () => {
          const client = clientOf(business);
          const common = { name, venue: number(venue) ?? null };
          const body =
            kind === 'door'
              ? {
                  ...common,
                  admits: ADMITS.find((one) => one === admits),
                  opens_minutes_before: number(minutes),
                  checks_in: checks_in !== undefined,
                }
              : { ...common, places_per_event: number(places) ?? null };
          return partner
            ? client.call('PATCH /partners/{id}', { params: { id: partner.id }, body })
            : client.call('POST /partners', { body: { kind, ...body } });
        },
      })}
    >
      {(errors) => (
        <>
          {partner ? null : (
            <Field label={words.say('partner.kind')} errors={errors('kind')} hint={words.say(`partner.${kind}.hint`)}>
              <select name="kind" value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
                {KINDS.map((one) => (
                  <option key={one} value={one}>
                    {words.say(`partner.${one}`)}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field label={words.say('partner.name')} errors={errors('name')}>
            <input name="name" required maxLength={100} autoComplete="off" defaultValue={partner?.name ?? ''} />
          </Field>
          <Field label={words.say('partner.venue')} errors={errors('venue')}>
            <ListSelect
              name="venue"
              initial={String(partner?.venue ?? '')}
              choices={venues.map(({ id, name }) => [String(id), name])}
              {...(kind !== 'door' && { none: words.say('partner.venue.any') })}
            />
          </Field>
          {kind === 'door' ? (
            <>
              <Field label={words.say('partner.admits')} errors={errors('admits')}>
                <select name="admits" defaultValue={partner?.admits ?? 'bookings'}>
                  {ADMITS.map((one) => (
                    <option key={one} value={one}>
                      {words.say(`partner.admits.${one}`)}
                    </option>
                  ))}
                </select>
              </Field>
              <Field label={words.say('partner.minutes')} errors={errors('opens_minutes_before')}>
                <input
                  name="opens_minutes_before"
                  type="number"
                  min={0}
                  max={240}
                  defaultValue={partner?.opens_minutes_before ?? 30}
                />
              </Field>
              <label className="box">
                <input type="checkbox" name="checks_in" defaultChecked={partner?.checks_in ?? true} />{' '}
                {words.say('partner.checks_in')}
              </label>
            </>
          ) : (
            <Field
              label={words.say('partner.places')}
              errors={errors('places_per_event')}
              hint={words.say('partner.places.hint')}
            >
              <input
                name="places_per_event"
                type="number"
                min={1}
                max={10_000}
                defaultValue={partner?.places_per_event ?? ''}
              />
            </Field>
          )}
        </>
      )}
    </ProposalForm>
  );
}
