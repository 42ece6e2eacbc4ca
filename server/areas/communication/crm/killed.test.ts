/** Workers that are killed while they read the feed and act: real processes. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { KillableInstallation } from '../../../test/processes/killed.ts';
import { until } from '../../../test/storm.ts';
import { inTurn } from '../../../test/rare.ts';

let e: KillableInstallation;
before(async () => {
  e = await KillableInstallation.install();
});
after(() => e?.remove());

// Guards against: Workflows that loop forever, or act twice
inTurn(3, 4)(
  'workers are killed while they read and while they act, and every customer gets each effect exactly once',
  async () => {
    const [server, doomed] = [await e.alongside('server'), await e.start('worker')];
    const post = (path: string, body: object) => e.make(server, path, body);
    await until('the readers have begun', async () => (await e.count('feed_reader')) >= 2);
    await post('/customer_labels', { name: 'New' });
    const workflow = await post('/crm/workflows', { trigger: 'customer.created' });
    await post('/crm/workflow_actions', {
      workflow: workflow.id,
      action_type: 'add_label',
      label: 'new',
      conditions: [],
      scheduled_delay: null,
    });
    await post('/crm/workflow_actions', {
      workflow: workflow.id,
      action_type: 'create_task',
      title: 'Call',
      conditions: [],
      scheduled_delay: 'PT1S',
    });
    await post('/crm/workflow_actions', {
      workflow: workflow.id,
      action_type: 'email_customer',
      email_template: { subject: 'Hello', body: 'Hello' },
      purpose: 'transactional',
      conditions: [],
      scheduled_delay: null,
    });

    const customers: number[] = [];
    const enter = async (n: number) => {
      for (let i = 0; i < n; i++)
        customers.push(
          (
            await post('/customers', {
              first_name: 'A',
              last_name: 'B',
              email: `p${customers.length}@example.com`,
              send_invitation_email: false,
            })
          ).id,
        );
    };
    await enter(1);
    let entering: Promise<void>;
    await e.kill({
      // One step stops half-way, waiting for this row; the other steps of the business wait for it.
      held: 'SELECT 1 FROM customer WHERE id = $1 FOR NO KEY UPDATE',
      values: [customers[0]],
      victim: async () => {
        entering = enter(40);
        return doomed;
      },
    });
    // The next worker is killed with some steps done and more to do.
    const second = await e.start('worker');
    await until('steps are done', async () => (await e.count(`workflow_step WHERE status = 'acted'`)) >= 10);
    await second.end('SIGKILL');
    await entering!;
    await e.alongside('worker');
    await until(
      'every run is done',
      async () =>
        (await e.count('workflow_run')) === 41 && (await e.count(`workflow_run WHERE status <> 'done'`)) === 0,
    );

    assert.equal(await e.count(`workflow_step WHERE status = 'acted'`), 3 * 41);
    for (const table of ['customer_label_link', 'customer_task', `message WHERE kind = 'workflow'`]) {
      assert.equal(await e.count(table), 41, table);
    }
    for (const kind of ['customer_label.added', 'customer_task.created', 'customer.created']) {
      assert.deepEqual(
        (
          await e.eye.query(
            `SELECT count(*)::int AS recorded, count(DISTINCT object_id)::int AS of FROM feed_item WHERE kind = $1`,
            [kind],
          )
        ).rows[0],
        { recorded: 41, of: 41 },
        kind,
      );
    }
  },
);
