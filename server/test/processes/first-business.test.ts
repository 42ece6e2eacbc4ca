/** A new installation without the demo: how its first business is created. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PageClient } from '../pages/page-client.ts';
import { Installation, stop } from '../installation.ts';
import { rare } from '../rare.ts';

test('without a demo, the start prints the setup link; a command can create a business too, and prints a link for its owner to set the password', async () => {
  const fresh = new Installation();
  try {
    const running = await fresh.start(['--no-demo'], { LOG_LEVEL: 'info' });
    const said = running.lines.join('\n');
    const setUp = new URL(/There is no business yet.*\n +(http\S+)/.exec(said)![1]);
    assert.equal(setUp.origin, running.base);
    const printed = await fresh.command(['set-up'], { PUBLIC_URL: running.base });
    assert.equal(printed.out.trim(), setUp.href, 'the command prints the same link');
    const visitor = new PageClient(running.base);
    const first = await visitor.get('/');
    assert.deepEqual([first.status, first.headers.get('location')], [303, '/set-up']);
    assert.match((await visitor.get(setUp.pathname + setUp.search)).text, /<h1>Your business<\/h1>/);
    const made = await fresh.command(
      [
        'provider',
        'create',
        '--name',
        'Harbour Lane',
        '--timezone',
        'America/Toronto',
        '--currency',
        'CAD',
        '--country',
        'CA',
        '--owner',
        'ada@example.com',
        '--owner-name',
        'Ada King Lovelace',
      ],
      { PUBLIC_URL: running.base },
    );
    assert.equal((await visitor.get(setUp.pathname + setUp.search)).status, 404, 'there is a business');
    const late = await fresh.command(['set-up']);
    assert.match(late.err, /There is a business already/);
    assert.equal(made.code, 0, made.err);
    const link = /https?:\S+/.exec(made.out)![0];
    assert.ok(made.out.startsWith('1\n') && link.startsWith(`${running.base}/account/1/invitation?ticket=`), made.out);

    const again = await fresh.command(['provider', 'invite-owner', 'ada@example.com', '--provider', '1'], {
      PUBLIC_URL: running.base,
    });
    assert.equal(again.code, 0, again.err);
    const newer = /https?:\S+/.exec(again.out)![0];
    const browser = new PageClient(running.base);
    assert.equal((await browser.get(link.slice(running.base.length))).status, 410, 'only the newest link works');
    const page = await browser.get(newer.slice(running.base.length));
    assert.match(page.text, /ada@example\.com/);
    const ticket = new URL(newer).searchParams.get('ticket')!;
    const entered = await browser.post('/account/1/invitation', {
      ticket,
      password: 'quiet otter seven lanterns',
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    assert.equal(entered.headers.get('location'), `${running.base}/dashboard/1`, entered.text);
    assert.match((await fresh.command(['account', 'show', 'ada@example.com'])).out, /1 +Harbour Lane +staff/);
    const third = await fresh.command(['provider', 'invite-owner', 'ada@example.com', '--provider', '1']);
    assert.match(third.err, /can already log in.*send-password-link/);
    assert.equal(
      (
        await fresh.command([
          'provider',
          'create',
          '--name',
          'B',
          '--timezone',
          'Europe/Paris',
          '--currency',
          'EUR',
          '--country',
          'FR',
          '--owner',
          'nobody',
        ])
      ).code,
      2,
    );
    const { err } = await stop(running);
    assert.equal(err.split('\n').filter((line) => line.includes('migration')).length, 1, 'migrations are one line');
    const later = await fresh.start(['--no-demo']);
    assert.ok(!later.lines.some((line) => line.includes('There is no business yet')));
    await stop(later);
  } finally {
    await fresh.remove();
  }
});

rare('an import into a new folder creates the business it needs, and a second import changes nothing', async () => {
  const fresh = new Installation();
  try {
    const file = join(fresh.dataDir, 'schedule.csv');
    writeFileSync(
      file,
      '_id,Location ID,Course_ID,Course Title,Section,Age Min,Age Max,Date Range,Start Hour,Start Minute,End Hour,End Min,First Date,Last Date,DayOftheWeek\n1,5,7,Yoga,Fit,0,None,x,9,0,10,0,2026-01-05,2026-01-05,Monday\n',
    );
    const first = await fresh.command(['import', 'schedule', file]);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /Events: 1 created, 0 changed, 0 unchanged, 0 rejected/);
    assert.match(
      (await fresh.command(['import', 'schedule', file])).out,
      /Events: 0 created, 0 changed, 1 unchanged, 0 rejected/,
    );
    assert.equal(
      (
        await fresh.command([
          'provider',
          'create',
          '--name',
          'B',
          '--timezone',
          'Europe/Paris',
          '--currency',
          'EUR',
          '--country',
          'FR',
        ])
      ).out,
      '2\n',
    );
    const unsure = await fresh.command(['import', 'schedule', file]);
    assert.equal(unsure.code, 1);
    assert.match(unsure.err, /--provider 1 .*City Recreation/);
  } finally {
    await fresh.remove();
  }
});
