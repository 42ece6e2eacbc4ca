/** The texts of a notice as a business sends them to us, with their checks. */
import { Issues, notFound } from '../../../kernel/base/problem.ts';
import { readSettings, type Setting } from './write.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { templateProblem } from '../../../kernel/base/values/template.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import type { NoticeType } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const who = staffWith('super_admin');
export const path = '/communication/notification_types/{type}';

export const template = { subject: text({ max: 300 }), body: text({ max: 20_000 }), sms_body: text({ max: 1000 }) };

export const named = ({ registry }: Work, { type }: Record<string, string>): NoticeType => {
  const found = registry.notices.get(type);
  if (!found || found.freeform) throw notFound();
  return found;
};

export const settingOf = async (work: Work, type: NoticeType): Promise<Setting | undefined> =>
  (await readSettings(work)).get(type.type);

interface Templates {
  readonly subject?: string | null;
  readonly body?: string | null;
  readonly sms_body?: string | null;
}

/** Reports everything that is wrong with the templates of a body, each by its name. */
export function checkTemplates(type: NoticeType, body: Templates): void {
  const issues = new Issues();
  for (const name of ['subject', 'body', 'sms_body'] as const) {
    const problem = typeof body[name] === 'string' ? templateProblem(body[name], type.fields) : null;
    if (problem) issues.add(name, problem);
  }
  issues.throwIfAny();
}
