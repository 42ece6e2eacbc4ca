/** Requests a report as a file: it is written in the background, with the query of the address. */
import { bodyOf, type Asked } from './query.ts';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { pathOf, type ReportKind } from '../read.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';

export interface ExportProps {
  readonly report: ReportKind;
  readonly asked: Asked;
  readonly onClose: () => void;
  /** id of the job */
  readonly onBegun: (job: number) => void;
}

export const FORMATS = ['csv', 'xlsx', 'json'] as const;

export function FormatField({ errors, usual }: { readonly errors: readonly string[]; readonly usual: string }) {
  return (
    <Field label={words.say('format')} errors={errors}>
      <select name="format" defaultValue={usual}>
        {FORMATS.map((one) => (
          <option key={one} value={one}>
            {words.say(`format.${one}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function Export({ report, asked, onClose, onBegun }: ExportProps) {
  const { id: business } = useBusiness();
  const path = pathOf(report, asked.form);
  return (
    <ProposalForm
      title={words.say('export.title', { report: report.label })}
      submit={words.say('export')}
      onClose={onClose}
      onMade={({ job }: { readonly job: number }) => onBegun(job)}
      proposal={({ format = 'csv' }) => ({
        title: words.say('export.title', { report: report.label }),
        confirm: words.say('export'),
        done: words.say('export.begun'),
        announced: ['report_export.requested'],
        call: () =>
          // All reports accept their declared parameters in the same format.
          clientOf(business).call(`POST /reports/${path}/export` as 'POST /reports/attendances/export', {
            body: { ...bodyOf(asked, report), format } as never,
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('export.about')}</p>
          <FormatField errors={errors('format')} usual="csv" />
        </>
      )}
    </ProposalForm>
  );
}
