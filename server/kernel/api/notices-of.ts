/** The notices of all areas, with unique names and numbers and texts that can be rendered. */
import { templateProblem } from '../base/values/template.ts';
import { unique } from '../base/fields/unique.ts';
import type { Area } from './area.ts';
import type { NoticeType } from '../work/unit/notices.ts';

/**
 * Returns the notices by name, in the order of their numbers.
 * @throws Error that names a claim of two areas, or a text that would be refused from a business
 */
export function noticesOf(areas: readonly Area[]): ReadonlyMap<string, NoticeType> {
  const notices = areas.flatMap((a) => a.notices ?? []).toSorted((a, b) => a.number - b.number);
  const all = [...notices, ...areas.flatMap((a) => a.staffNotices ?? [])];
  unique(
    'notice',
    all.map((one) => [one.type, one] as const),
  );
  unique(
    'number of a notice',
    notices.map((one) => [String(one.number), one] as const),
  );
  for (const { type, subject, body, smsBody, fields } of notices) {
    for (const text of [subject, body, smsBody]) {
      const problem = templateProblem(String(text), fields);
      if (problem) throw new Error(`the notice ${type} can't be rendered: ${problem}`);
    }
  }
  return new Map(notices.map((one) => [one.type, one]));
}
