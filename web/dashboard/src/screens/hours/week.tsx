/** The weekly hours of a schedule, its name, and its validity period. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { Ranges, type Range } from '../../hours/ranges.tsx';
import { useBusiness } from '../../app/business.ts';
import { WEEK, weekdayOf, type Weekday } from '../../hours/labels.ts';
import { words } from '../../hours/words.ts';
import { SCHEDULE_FIELDS, type Schedule } from './read-schedule.ts';

export interface WeekProps {
  readonly schedule: Schedule;
  readonly etag: string | null;
  readonly onClose: () => void;
}

export function Week({ schedule, etag, onClose }: WeekProps) {
  const { id: business } = useBusiness();
  const [week, setWeek] = useState<Readonly<Record<Weekday, readonly Range[]>>>(schedule);
  const changed = WEEK.filter((day) => JSON.stringify(week[day]) !== JSON.stringify(schedule[day]));
  return (
    <ProposalForm
      title={words.say('week.edit')}
      submit={words.say('save')}
      onClose={onClose}
      proposal={({ name, valid_from, valid_until }) => ({
        title: words.say('week.edit'),
        confirm: words.say('save'),
        done: words.say('schedule.saved'),
        call: () =>
          clientOf(business).call('PATCH /availability_schedules/{id}', {
            params: { id: schedule.id },
            ifMatch: etag ?? undefined,
            fields: SCHEDULE_FIELDS,
            body: {
              ...Object.fromEntries(changed.map((day) => [day, week[day]])),
              ...(name && name !== schedule.name && { name }),
              valid_from: valid_from || null,
              valid_until: valid_until || null,
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft small">{words.say('week.about')}</p>
          {WEEK.map((day) => (
            <Ranges
              key={day}
              label={weekdayOf(day)}
              ranges={week[day]}
              errors={errors(day)}
              onChange={(ranges) => setWeek((now) => ({ ...now, [day]: ranges }))}
            />
          ))}
          <Field label={words.say('schedule.name')} errors={errors('name')}>
            <input name="name" defaultValue={schedule.name} autoComplete="off" maxLength={32} />
          </Field>
          <Field
            label={words.say('schedule.from')}
            hint={words.say('schedule.from.hint')}
            errors={errors('valid_from')}
          >
            <input name="valid_from" type="date" defaultValue={schedule.valid_from ?? ''} />
          </Field>
          <Field
            label={words.say('schedule.until')}
            hint={words.say('schedule.until.hint')}
            errors={errors('valid_until')}
          >
            <input name="valid_until" type="date" defaultValue={schedule.valid_until ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
