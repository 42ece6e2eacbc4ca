/** Schedules a report to be emailed every week or month. */
import { useState } from 'react';
import { bodyOf, type Asked } from './query.ts';
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { FORMATS, FormatField } from './export.tsx';
import { nameOf } from '../../../app/customers.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { WEEKDAYS, weekdayOf } from '../../../words/weekdays.ts';
import { words } from '../words.ts';
import type { ReportKind } from '../read.ts';

export interface ScheduleProps {
  readonly report: ReportKind;
  readonly asked: Asked;
  readonly onClose: () => void;
}

/** Higher than the number that any business has. */
const MAX_ROWS = 100;

const FREQUENCIES = ['monthly', 'weekly'] as const;

export function Schedule({ report, asked, onClose }: ScheduleProps) {
  const business = useBusiness();
  const [frequency, setFrequency] = useState<(typeof FREQUENCIES)[number]>('monthly');
  const [recipients, setRecipients] = useState<ReadonlySet<number>>(new Set([business.staff.id]));
  const staff = useCall('GET /staff', { query: { page_size: MAX_ROWS }, fields: ['id', 'first_name', 'last_name'] });
  const title = words.say('schedule.title', { report: report.label });
  return (
    <ProposalForm
      title={title}
      submit={words.say('schedule')}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        confirm: words.say('schedule'),
        done: words.say('schedule.done'),
        call: () =>
          clientOf(business.id).call('POST /report_schedules', {
            body: {
              report: report.name as 'attendances',
              form: report.is_total ? 'rows' : asked.form,
              format: FORMATS.find((one) => one === typed.format) ?? 'xlsx',
              asked: bodyOf(asked, report),
              frequency,
              ...(frequency === 'weekly'
                ? { day_of_week: WEEKDAYS.find((one) => one === typed.day_of_week) ?? 'monday' }
                : { day_of_month: Number(typed.day_of_month) }),
              time: typed.time ?? '',
              recipients: [...recipients],
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('schedule.about')}</p>
          <Field label={words.say('frequency')} errors={errors('frequency')}>
            <select
              name="frequency"
              value={frequency}
              onChange={(event) => setFrequency(event.target.value === 'weekly' ? 'weekly' : 'monthly')}
            >
              {FREQUENCIES.map((one) => (
                <option key={one} value={one}>
                  {words.say(`frequency.${one}`)}
                </option>
              ))}
            </select>
          </Field>
          {frequency === 'weekly' ? (
            <Field label={words.say('day_of_week')} errors={errors('day_of_week')}>
              <select name="day_of_week">
                {WEEKDAYS.map((one) => (
                  <option key={one} value={one}>
                    {weekdayOf(one)}
                  </option>
                ))}
              </select>
            </Field>
          ) : (
            <Field
              label={words.say('day_of_month')}
              hint={words.say('day_of_month.hint')}
              errors={errors('day_of_month')}
            >
              <input name="day_of_month" type="number" min={1} max={31} defaultValue={1} />
            </Field>
          )}
          <Field label={words.say('time')} errors={errors('time')}>
            <input name="time" type="time" defaultValue="07:00" />
          </Field>
          <FormatField errors={errors('format')} usual="xlsx" />
          <fieldset>
            <legend>{words.say('recipients')}</legend>
            {staff.error ? <Failed error={staff.error} again={() => void staff.refetch()} /> : null}
            {staff.data ? (
              staff.data.results.map((one) => (
                <label key={one.id} className="box">
                  <input
                    type="checkbox"
                    checked={recipients.has(one.id)}
                    onChange={(event) =>
                      setRecipients(
                        (before) =>
                          new Set(
                            event.target.checked ? [...before, one.id] : [...before].filter((id) => id !== one.id),
                          ),
                      )
                    }
                  />{' '}
                  {nameOf(one)}
                </label>
              ))
            ) : staff.error ? null : (
              <Loading />
            )}
            {errors('recipients').length > 0 ? <p className="error">{errors('recipients').join(' ')}</p> : null}
          </fieldset>
        </>
      )}
    </ProposalForm>
  );
}
