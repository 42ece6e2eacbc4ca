/** Gift cards, account credit and open charges, for people who are logged in. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { giveCredit } from '../../money/account-entries/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let visitor: PageClient;
let customer: number;
const page = (name: string) => `/account/${world.harbour}/${name}`;
before(async () => {
  world = await startWorld();
  const sold = {
    is_enabled_customer_site: true,
    amount_choices: ['25.00', '1000.00'],
    amount_range: { smallest: '10.00', largest: '2000.00' },
  };
  assert.equal((await world.patch('/gift_cards/config', { as: world.machine, body: sold })).status, 200);
  const member = await newMember(world);
  customer = await makeCustomer(world, member);
  visitor = new PageClient(world.url);
  await visitor.get(page('log-in'));
  await visitor.post(page('log-in'), { email: member.email, password: PASSWORD });
});
after(() => world.close());

const PAGES = ['gift-card', 'gift-card/buy', 'gift-cards', 'profile/credit', 'profile/owed'];
const plain = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('the pages of gift cards, credit and open charges are available in every language, and only to their owner', async () => {
  for (const name of PAGES)
    for (const language of Object.keys(LANGUAGES)) {
      const { status, text, headers } = await visitor.get(page(`${name}?lang=${language}`));
      assert.equal(status, 200, name);
      assert.match(text, new RegExp(`<html lang="${language}`), name);
      assert.match(text, /<h1>[^<]+<\/h1>/);
      assert.match(headers.get('x-robots-tag')!, /noindex/);
    }
  for (const name of PAGES)
    assert.match((await new PageClient(world.url).get(page(name))).headers.get('location')!, /\/log-in\?return_to=/);
});

test("amounts and days are in the reader's format", async () => {
  const body = { customer, kind: 'charge', amount: '1234.50', explanation: 'A lost key' };
  const made = await world.post('/account_entries', { as: world.machine, body });
  assert.equal(made.status, 201, made.text);
  await world.work(world.harbour, (work) => giveCredit(work, { customer, amount: 250_000, explanation: 'A gift' }));
  const owed = await visitor.get(page('profile/owed?lang=de'));
  assert.match(
    plain(owed.text),
    /Offene Beträge .*A lost key Fällig am \w+, \d+\. \p{L}+ \d{4} 1\.234,50 \$ .*1\.234,50 \$ bezahlen/u,
  );
  const credit = await visitor.get(page('profile/credit?lang=fr'));
  assert.match(plain(credit.text), /Votre avoir .*2 500,00 \$ .*A gift .*\+2 500,00 \$/);
});

test('form errors are in the language of the page, which can be read in others', async () => {
  await visitor.get(page('gift-card/buy?lang=pl'));
  const wrong = await visitor.post(page('gift-card/buy'), { amount: '', other: '', recipient_name: '' });
  assert.equal(wrong.status, 422);
  assert.match(plain(wrong.text), /Imię osoby obdarowanej: /);
  assert.match(wrong.text, new RegExp(`href="${page('gift-card/buy')}\\?lang=de"`));
  const none = await visitor.post(page('gift-card/buy'), { amount: '', other: '', recipient_name: 'Ada' });
  assert.match(none.text, /Wybierz kwotę lub ją wpisz\./);
  const code = await visitor.post(page('gift-card/redeem'), { code: '' });
  assert.equal(code.status, 422);
  assert.match(code.text, new RegExp(`href="${page('gift-card')}\\?lang=de"`));
});

/** Returns true if the page of the bought gift cards offers another one. */
async function offersCards(): Promise<boolean> {
  const { status, text } = await visitor.get(page('gift-cards?lang=en'));
  assert.equal(status, 200);
  return text.includes(`href="${page('gift-card/buy')}"`);
}

async function sellCards(is_enabled_customer_site: boolean): Promise<void> {
  const answer = await world.patch('/gift_cards/config', { as: world.machine, body: { is_enabled_customer_site } });
  assert.equal(answer.status, 200, answer.text);
}

test('gift cards that customers can’t buy are not offered to them beside those that they bought', async () => {
  assert.equal(await offersCards(), true);
  await sellCards(false);
  assert.equal(await offersCards(), false);
  await sellCards(true);
});
