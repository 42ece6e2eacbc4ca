/** Reports whose rows are already groups: reading and exporting returns the groups by all their grouping columns. */
import { dataEndpoints } from './endpoints.ts';
import { exportEndpoints } from './exports/endpoints.ts';
import { groupedColumns } from './ask.ts';
import type { Endpoint } from '../../../kernel/api/endpoint.ts';
import type { Report } from './report.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';

const GROUPED = '.grouped';

/** Returns the endpoints for the groups of a report, at the addresses of its rows. */
export const totalsEndpoints = (report: Report): Endpoint[] =>
  [...dataEndpoints(report), ...exportEndpoints(report)]
    .filter(({ path }) => path.includes(GROUPED))
    .map((endpoint) => asRows(endpoint, report));

function asRows(endpoint: Endpoint, report: Report): Endpoint {
  const whole = (shape: Shape): Shape => ({
    ...shape,
    columns: shape.columns
      .default(Object.keys(groupedColumns(report)))
      .describe('If left out, all columns are returned.'),
  });
  return {
    ...endpoint,
    path: endpoint.path.replace(GROUPED, ''),
    summary: endpoint.summary.replace(' in groups', ''),
    ...(endpoint.acts === 'read'
      ? { description: report.description, query: whole(endpoint.query) }
      : { body: whole((endpoint as { body: Shape }).body) }),
  } as Endpoint;
}
