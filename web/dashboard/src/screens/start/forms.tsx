/** The forms of the set-up steps that have one. */
import { typedAmount } from '../../app/amount.ts';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { NameSelect } from '../../ui/name-select.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export interface FormProps {
  readonly onClose: () => void;
}

export function NewVenue({ onClose }: FormProps) {
  const { id: business, timezone, country } = useBusiness();
  return (
    <ProposalForm
      title={words.say('do.venue')}
      submit={words.say('do.venue')}
      onClose={onClose}
      proposal={({ name = '', street, city, postal_code, timezone: zone = timezone }) => ({
        title: words.say('add', { name }),
        done: words.say('added', { name }),
        call: () =>
          clientOf(business).call('POST /venues', {
            body: {
              name,
              venue_type: 'physical',
              timezone: zone,
              ...(street &&
                city && {
                  physical_address: { street, city, region: '', postal_code: postal_code ?? '', country },
                }),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required />
          </Field>
          <Field label={words.say('street')} errors={errors('physical_address.street')}>
            <input name="street" autoComplete="off" />
          </Field>
          <Field label={words.say('postal_code')} errors={errors('physical_address.postal_code')}>
            <input name="postal_code" autoComplete="off" />
          </Field>
          <Field label={words.say('city')} errors={errors('physical_address.city')}>
            <input name="city" autoComplete="off" />
          </Field>
          <Field label={words.say('timezone')} hint={words.say('timezone.hint')} errors={errors('timezone')}>
            <NameSelect name="timezone" of="zone" initial={timezone} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

export function NewOffering({ onClose }: FormProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('do.offering')}
      submit={words.say('do.offering')}
      onClose={onClose}
      proposal={({ name = '', description, dropin_price }) => ({
        title: words.say('add', { name }),
        done: words.say('added', { name }),
        call: () =>
          clientOf(business).call('POST /offering_types', {
            body: {
              name,
              description: description || null,
              schedule_type: 'class',
              customer_visibility: 'public',
              allows_dropins: Boolean(dropin_price),
              ...(dropin_price && { dropin_price: typedAmount(dropin_price) }),
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('name')} errors={errors('name')}>
            <input name="name" autoComplete="off" required />
          </Field>
          <Field label={words.say('description')} errors={errors('description')}>
            <textarea name="description" rows={3} />
          </Field>
          <Field label={words.say('dropin')} hint={words.say('dropin.hint')} errors={errors('dropin_price')}>
            <input name="dropin_price" inputMode="decimal" autoComplete="off" />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}

/** Typical roles: names of permissions, for the few that most staff have. */
const ROLES = {
  instructor: { instructor_attendances: true, instructor_manage_events: true },
  desk: { attendances: true, customers: true, pos: true },
  manager: { attendances: true, customers: true, pos: true, manage_events: true, customer_payments: true },
  owner: { super_admin: true },
} as const;
const ROLE_NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];

export function NewColleague({ onClose }: FormProps) {
  const { id: business } = useBusiness();
  return (
    <ProposalForm
      title={words.say('do.staff')}
      onClose={onClose}
      proposal={({ first_name = '', last_name = '', email = '', role = 'instructor' }) => ({
        title: words.say('invite', { name: `${first_name} ${last_name}`.trim() }),
        done: words.say('invited', { email }),
        call: () =>
          clientOf(business).call('POST /staff', {
            body: { first_name, last_name, email, permissions: ROLES[role as keyof typeof ROLES] },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('first_name')} errors={errors('first_name')}>
            <input name="first_name" autoComplete="off" required />
          </Field>
          <Field label={words.say('last_name')} errors={errors('last_name')}>
            <input name="last_name" autoComplete="off" required />
          </Field>
          <Field label={words.say('email')} errors={errors('email')}>
            <input name="email" type="email" autoComplete="off" required />
          </Field>
          <Field label={words.say('role')} errors={errors('permissions')}>
            <select name="role" defaultValue="instructor">
              {ROLE_NAMES.map((role) => (
                <option key={role} value={role}>
                  {words.say(`role.${role}`)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
