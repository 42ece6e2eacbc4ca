/** Gift cards of a former product. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkLedger } from '../../../money/ledger/index.ts';
import { fates, upload, work } from '../test/moving.ts';
import { newCards, withCode } from '../../../commerce/gift-cards/test/cards.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
});
after(() => world?.close());

const get = async (path: string): Promise<any> => {
  const answer = await world.get(path, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const redeem = async (code: string): Promise<[status: number, credit: string]> => {
  const customer = await world.newCustomer();
  const answer = await world.post('/gift_cards/redeem', { as: world.customer(customer), body: { code } });
  return [answer.status, (await get(`/customers/${customer}/account_balance`)).credit.string];
};
const undo = async (id: number): Promise<any> => {
  const answer = await world.post(`/imports/${id}/undo`, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

/** Returns the balances of the accounts that gift cards move; the whole ledger has to agree. */
async function books(): Promise<Record<string, string>> {
  assert.deepEqual(await world.work(world.harbour, checkLedger), []);
  const trial = await get('/ledger/trial_balance?from=2026-01-01&to=2026-12-31');
  assert.deepEqual([trial.totals.closing.string, trial.revenue], ['0.00', []]);
  return Object.fromEntries(
    trial.accounts.map(({ account, closing }: any): [string, string] => [account, closing.string]),
  );
}

const CARDS = `Gift Card Number,Remaining Balance,Original Value,Currency,Purchase Date,Expiration Date,Recipient Name,Recipient Email,Status
7000 1111 2222,40.00,50.00,CAD,2025-12-01,2026-12-01,Ada Moss,ada@example.com,Active
GIFT-2025-0002,$25.50,,,1899-12-30,,www.example.com,none at all,Partially used
70001111-3333,0.00,50.00,CAD,2025-12-01,,,,Active
700011114444,10.00,50.00,CAD,2025-12-01,,,,Voided
700011115555,10.00,50.00,EUR,2025-12-01,,,,Active
700011116666,10.00,50.00,CAD,2024-12-01,2026-03-01,,,Active
700011112222,40.00,50.00,CAD,2025-12-01,,,,Active
1234567,10.00,,,,,,,Active
1.23457E+15,10.00,,,,,,,Active
****-****-1234,10.00,,,,,,,Active
700011117777,about 10,,,,,,,Active
700011118888,,50.00,,,,,,Active
700011119999,60.00,50.00,,,,,,Active
700011110000,5.00,soon,,2026-12-01,2026-03-02,,,Active
700011112345,5.00,,,,9999-12-31,,,Active
`;

const EXPECTED = [
  [2, 'created', []],
  [
    3,
    'created',
    [
      'Purchase Date: is too long ago',
      'Recipient Email: is not an email address',
      'Recipient Name: is no name: it holds an address or invisible characters',
    ],
  ],
  [4, 'rejected', ['Remaining Balance: is nothing: the card was used']],
  [5, 'rejected', ['Status: means that the row is left out']],
  [6, 'rejected', ['Currency: is not the currency of the business, CAD']],
  [7, 'rejected', ['Expiration Date: has passed: to honor the card nevertheless, enter a later day or none']],
  [8, 'rejected', ['Gift Card Number: is already in line 2']],
  [
    9,
    'rejected',
    ['Gift Card Number: has fewer than 8 letters and digits, so that it could be guessed: credit the account instead'],
  ],
  [
    10,
    'rejected',
    ['Gift Card Number: is no longer a code: a spreadsheet rounded it. Format the column as text and export it again'],
  ],
  [11, 'rejected', ['Gift Card Number: is not the whole code']],
  [12, 'rejected', ['Remaining Balance: is not one amount in CAD']],
  [13, 'rejected', ['Remaining Balance: is empty: nobody knows what is left on the card']],
  [14, 'rejected', ['Remaining Balance: is more than the original value of $50.00']],
  [15, 'created', ['Original Value: is not one amount in CAD', 'Purchase Date: is in the future']],
  [16, 'rejected', ['Expiration Date: is too far ahead: leave it empty for a card that never expires']],
];

test('what is left on gift cards moves in with their codes, and nothing is earned, billed or sent', async () => {
  const file = await upload(world, CARDS);
  assert.deepEqual([file.kind, file.missing, file.makes], ['gift_cards', [], 'gift_card']);
  const sums = [{ of: 'gift_cards', count: 3, amount: '70.50' }];
  const checked = await work(world, file.id, 'check');
  assert.deepEqual([checked.sums, await fates(world, file.id)], [sums, EXPECTED]);
  assert.deepEqual((await get('/gift_cards')).results, []);
  const run = await work(world, file.id, 'run');
  assert.deepEqual([run.sums, await fates(world, file.id)], [sums, EXPECTED]);
  assert.deepEqual(await books(), { gift_card: '-70.50', opening_balance: '70.50' });
  const { results } = await get('/gift_cards?sort=id');
  assert.deepEqual(
    results.map((one: any) => [
      one.amount.string,
      one.status,
      one.redeem_by,
      one.purchased_at.slice(0, 10),
      one.invoice,
    ]),
    [
      ['40.00', 'delivered', '2026-12-02T00:00:00-05:00', '2025-12-01', null],
      ['25.50', 'delivered', null, '2026-03-02', null],
      ['5.00', 'delivered', '2026-03-03T00:00:00-05:00', '2026-03-02', null],
    ],
  );
  assert.deepEqual(
    results.map((one: any) => [one.recipient_name, one.recipient_email, one.delivery_status]),
    [
      ['Ada Moss', 'ada@example.com', 'sent'],
      ['', '', 'printed'],
      ['', '', 'printed'],
    ],
  );
  const stored = await world.work(world.harbour, async ({ tx, providerId }) => ({
    cards: await tx.rows<{ row: string }>(
      sql`SELECT to_jsonb(c)::text AS row FROM gift_card c WHERE provider_id = ${providerId}`,
    ),
    mails: await tx.rows(sql`SELECT id FROM mail_outbox WHERE provider_id = ${providerId}`),
  }));
  assert.deepEqual([stored.mails, (await get('/invoices')).results], [[], []]);
  assert.ok(stored.cards.every(({ row }) => !row.includes('70001111')));

  // The holder types the code as it is on the card.
  assert.deepEqual(await redeem('7000-1111-2222'), [200, '40.00']);
  assert.deepEqual(await redeem('700011112222'), [409, '0.00']);
  assert.deepEqual(await books(), { credit: '-40.00', gift_card: '-30.50', opening_balance: '70.50' });

  // A corrected file changes nothing that exists, and says so.
  const corrected = CARDS.replace('$25.50', '20.00').replace('700011117777,about 10', '700011117777,10.00');
  const later = await upload(world, corrected);
  assert.deepEqual((await work(world, later.id, 'run')).created_count, 1);
  assert.deepEqual(
    (await fates(world, later.id)).filter(([line]) => [2, 3, 12, 15].includes(line)),
    [
      [2, 'unchanged', ['Remaining Balance: was redeemed here: nothing is left on the gift card']],
      [
        3,
        'unchanged',
        ['Remaining Balance: differs from the $25.50 that were imported, which stay: undo that import to correct it'],
      ],
      [12, 'created', []],
      [15, 'unchanged', []],
    ],
  );
  assert.deepEqual(await books(), { credit: '-40.00', gift_card: '-40.50', opening_balance: '80.50' });

  const undone = await undo(file.id);
  assert.deepEqual(
    [undone.undone_count, undone.kept.map(({ line, reason }: any) => [line, reason])],
    [2, [[2, 'was redeemed']]],
  );
  assert.deepEqual(await books(), { credit: '-40.00', gift_card: '-10.00', opening_balance: '50.00' });
  assert.deepEqual(await redeem('gift 2025 0002'), [409, '0.00']);
  const again = await upload(world, corrected);
  assert.equal((await work(world, again.id, 'run')).created_count, 2, 'the corrected file can be imported');
  assert.deepEqual(await redeem('gift 2025 0002'), [200, '20.00']);
});

test('the code of a card that was sold here is refused', async () => {
  const own = await withCode(world, (await newCards(world)).card);
  const file = await upload(world, `Code,Balance\n${own},12.00\n`);
  assert.deepEqual([file.kind, file.missing], ['gift_cards', []]);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), [[2, 'rejected', ['Code: is the code of a gift card sold here']]]);
});

test('unknown states, and an amount that may be the original one, are questions', async () => {
  const file = await upload(world, 'Gutscheinnummer,Betrag,Status\nABCD-1234,30.00,Aktiv\nABCD-5678,30.00,Gesperrt\n');
  assert.deepEqual([file.kind, file.missing], ['gift_cards', ['balance', 'answers']]);
  const columns = [{ heading: 'Betrag', property: 'balance' }];
  const answers = [{ property: 'status', value: 'Gesperrt', meaning: 'left_out' }];
  const body = { columns, answers };
  const answered = await world.patch(`/imports/${file.id}`, { as: world.machine, body });
  assert.deepEqual([answered.status, answered.body.missing], [200, []], answered.text);
  await work(world, file.id, 'check');
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate]) => fate),
    ['created', 'rejected'],
  );
});
