/** Workers that are killed outright while they read the feed and act: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { Endangered } from '../../../test/durable.ts';

let e: Endangered;
before(async () => {
  e = await Endangered.install();
});
after(() => e?.remove());

test('workers are killed while they read and while they act, and every customer gets each effect exactly once', async () => {
  const [server, doomed] = [await e.start('server'), await e.start('worker')];
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    return answer.json();
  };
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

  // One step stops half-way, in front of a row that we hold; the other steps of the business wait for it.
  const holder = await beside(e.here.url);
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
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM customer WHERE id = $1 FOR NO KEY UPDATE', [customers[0]]);
  const entering = enter(40);
  await until(
    'a step is half-way',
    async () =>
      (await e.count(
        `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%customer%'`,
      )) > 0,
  );
  await doomed.end('SIGKILL');
  await holder.query('COMMIT');
  await holder.end();
  // The next one is killed with some steps behind it and more before it.
  const second = await e.start('worker');
  await until('steps are done', async () => (await e.count(`workflow_step WHERE status = 'acted'`)) >= 10);
  await second.end('SIGKILL');
  await entering;
  const heir = await e.start('worker');
  await until(
    'every run is done',
    async () => (await e.count('workflow_run')) === 41 && (await e.count(`workflow_run WHERE status <> 'done'`)) === 0,
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
  assert.deepEqual(await Promise.all([heir.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});
