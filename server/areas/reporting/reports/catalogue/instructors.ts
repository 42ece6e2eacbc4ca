/** Sessions and pay of instructors: one row for each instructor. */
import { anyOf, COUNT } from './common.ts';
import { column, report } from '../report.ts';
import { id, moneyText, text } from '../../../../kernel/base/fields/kinds.ts';
import { TAUGHT, totalHours, totalPay } from './instructed-sessions.ts';

const by = {
  id: column(id(), 'i.id', 'ID of the instructor.'),
  name: column(text(), 'i.name', 'Name of the instructor.'),
};

const measures = {
  total_sessions: { ...COUNT, means: 'Number of sessions taught.' },
  total_hours: totalHours,
  total_pay: totalPay(moneyText()),
};

/** Its rows are groups of sessions: see `group-reports.ts`. */
export const instructorsReport = report('instructors', {
  ...TAUGHT,
  title: 'instructors',
  description:
    'How much instructors taught, and what they are paid for it. Filters choose the sessions that count. Sessions that are still to come are left out.',
  id: 'i.id',
  columns: { ...by, ...measures },
  sort: 'id',
  filters: { ...TAUGHT.filters, pay_rates: anyOf('p.instructor_pay_rate_id', 'total_pay') },
  grouped: { by, measures },
  rowsIn: { report: 'instructed_sessions', by: { id: 'instructor.id', name: 'instructor.name' } },
});
