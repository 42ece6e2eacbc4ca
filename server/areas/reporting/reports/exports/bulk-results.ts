/** The results of a bulk action as a file. It is written like the rows of a report, but isn't available as pages. */
import { action, answer, STAFF } from '../../../../kernel/api/endpoint.ts';
import { anyOf } from '../catalogue/common.ts';
import { bulkAction } from '../../../platform/bulk/index.ts';
import { checkWaiting, FORMAT, requestExport } from './request.ts';
import { column, report } from '../report.ts';
import { id, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';

export const bulkResults = report('bulk_action_results', {
  title: 'results of a bulk action',
  description: 'The result of a bulk action for each object.',
  // Anyone who may watch an action may have its results: this is checked on request.
  who: [],
  from: 'bulk_action_result r',
  id: 'r.id',
  venue: null,
  columns: {
    id: column(id(), 'r.id', 'ID of the result.'),
    primary_object: column(id(), 'r.primary_object', 'ID of the object.'),
    status: column(
      oneOf(['pending', 'success', 'error']),
      'r.status',
      'What became of it: `pending` while the action has not come to it.',
    ),
    error_message: column(text(), 'r.error_message', 'Why it was left alone. Null if it wasn’t.'),
  },
  sort: 'id',
  filters: { bulk_actions: anyOf('r.bulk_action_id') },
});

export const exportResults = action({
  path: '/bulk_actions/{id}/export',
  summary: 'Export the results of a bulk action',
  description:
    'Returns the id of a job. When `GET /jobs/{id}` says that it is complete, its `result_url` is the file, with the result of each object. Only you can see the job and download the file, for seven days.',
  who: STAFF,
  target: bulkAction,
  body: FORMAT,
  returns: answer({ job: text({ max: 20 }) }),
  problems: ['conflict'],
  run: async ({ work, target, body: { format } }) => {
    await checkWaiting(work);
    const { staffId, permissions } = work.viewer;
    const job = await requestExport(work, {
      report: bulkResults.name,
      form: 'rows',
      format,
      asked: { bulk_actions: [target.id] },
      // A caller may watch an action as a whole, at all of its venues, or not at all.
      reader: { id: staffId, permissions, venues: null },
    });
    return { job: String(job) };
  },
});
