import { boolean, collection, id, instant, text } from '../../../../kernel/base/fields/kinds.ts';
import { customerTrigger } from '../triggers.ts';
import { may, type Viewer } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

/** Visible to administrators, as long as it exists. */
export const visibleWhileThere = {
  provider: (t: string, viewer: Viewer) => may(viewer, 'super_admin') && sql`${raw(t)}.deleted_at IS NULL`,
  customer: false,
  unregistered: false,
};

export const workflow = resource('crm_workflow', {
  description:
    'Acts automatically when something happens to a customer. Its actions define what it does, when, and under which conditions.',
  table: 'workflow',
  fields: {
    id: id(),
    name: text({ max: 255 }).nullable(),
    trigger: customerTrigger().describe('The kind of feed item that triggers it.'),
    is_enabled: boolean().describe('While it is off, nothing triggers it, and pending actions do not run.'),
    actions: collection(
      'crm_workflow_action',
      { column: 'workflow_id' },
      (workflow) => `/crm/workflow_actions?workflow=${workflow}`,
    ).deferred(),
    created_at: instant().deferred(),
  },
  visible: visibleWhileThere,
});
