import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { billed } from '../test/invoicing.ts';
import { inflateSync } from 'node:zlib';
import { row } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let desk: number;
before(async () => {
  world = await startWorld();
  const tax = { kind: 'tax', type: 'percent', is_taxable: false, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'HST', percentage: '13', ...tax });
  const fee = { kind: 'fee', type: 'flat', amount_minor: 150, is_taxable: true, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'Booking fee', ...fee });
  desk = await row(world, 'payment_processor', { kind: 'offline', name: 'Cash & cards' });
  const body = { legal_name: 'Harbour Lane Ltd', tax_number: 'HST 1234 RT', note: 'Thank you.' };
  await world.patch('/invoice_settings', { as: world.machine, body });
});
after(() => world.close());

const act = async (id: number, what: string, body: object): Promise<any> => {
  const answer = await world.post(`/invoices/${id}/${what}`, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

/** Downloads the raw bytes, because `World` reads text. */
const download = (id: number, query: string, headers: Record<string, string> = {}, as = world.machine) =>
  fetch(`${world.url}/api/v2/invoices/${id}/document${query}`, {
    headers: { authorization: `Bearer ${as}`, ...headers },
  });

async function anInvoice(lines = 2): Promise<{ id: number; payer: number; number: string }> {
  const payer = await world.newCustomer({ first_name: 'Ada', last_name: 'Lovelace & <Sons>' });
  const child = await world.newCustomer({ first_name: 'Byron', last_name: 'King' });
  const { id, number } = await billed(
    world,
    payer,
    Array.from({ length: lines }, (_, n) => ({
      description: `Rowing ${n + 1}`,
      ...(n === 1 && { customer: child, list: 2000, discount: 500, quantity: 2 }),
    })),
    { discountCode: { id: 1, code: 'SPRING', name: 'Spring' } },
  );
  return { id, payer, number };
}

test('the page shows issuer and recipient, every line with its fees and taxes, payments, and the amount due', async () => {
  const { id, number } = await anInvoice();
  await act(id, 'record_payment', { payment_processor: desk, amount: '20.00' });
  await act(id, 'credit', { amount: '5.00', reason: 'It began late.' });
  const answer = await download(id, '?format=html');
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/);
  const page = await answer.text();
  for (const said of [
    `Invoice ${number}`,
    'Harbour Lane Ltd',
    'HST 1234 RT',
    'Ada Lovelace &amp; &lt;Sons&gt;',
    'For Byron King',
    'Booking fee: $1.50',
    'HST: 13% of $41.50 = $5.40',
    'Discount (SPRING)',
    'Cash &amp; cards',
    'Credit note CN-000001',
    'Left to pay',
    'Thank you.',
  ])
    assert.ok(page.includes(said), said);
  assert.ok(!page.includes('<Sons>') && !page.includes('<script'));
  // 41.50 + 16.50, each plus 13%, less payments and credits
  assert.ok(page.includes('Left to pay</th><td class="n">$40.55'), page.slice(-900));
});

test('a credit note shows what it credits, the reason, and the use of the amount', async () => {
  const { id, number } = await anInvoice();
  await act(id, 'record_payment', { payment_processor: desk });
  const note = await act(id, 'credit', { amount: '10.00', reason: 'It began late.' });
  const page = await (await download(note.id, '?format=html')).text();
  for (const said of ['Credit note CN-', number, 'It began late.', '−$10.00', 'Account credit'])
    assert.ok(page.includes(said), said);
  assert.ok(!page.includes('Left to pay'));
});

test('the PDF is a tagged PDF/A-3b with embedded fonts, the same bytes each time, and not sent again to a client that has it', async () => {
  const { id, number } = await anInvoice();
  const answer = await download(id, '', { accept: 'application/pdf' });
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
    [200, 'application/pdf', `inline; filename="${number}.pdf"`],
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString('latin1');
  assert.ok(text.startsWith('%PDF-1.7'));
  // The content is too long for an assertion message.
  assert.ok(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</.test(text));
  assert.ok(text.includes('/Marked true'));
  for (const tag of ['H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD']) assert.ok(text.includes(`/S /${tag}\n`), tag);
  const fonts = [...text.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name);
  assert.ok(fonts.length > 0 && fonts.every((name) => /^[A-Z]{6}\+DejaVuSans/.test(name)), fonts.join());
  assert.equal((text.match(/\/FontFile2 /g) ?? []).length, 2);
  const again = await download(id, '?format=pdf');
  assert.ok(Buffer.from(await again.arrayBuffer()).equals(bytes));
  const known = await download(id, '', { 'if-none-match': answer.headers.get('etag')! });
  assert.equal(known.status, 304);
});

test('names in any script are printed in the PDF with embedded fonts', async () => {
  const payer = await world.newCustomer({ first_name: '小明', last_name: '王' });
  const descriptions = ['ヨガ', '요가', 'โยคะ', 'योग', 'ਪੰਜਾਬੀ', 'יוגה (מתקדמים)', 'درس يوجا', 'Yoga 🧘🏽‍♀️'];
  const { id } = await billed(
    world,
    payer,
    descriptions.map((description) => ({ description })),
  );
  const bytes = Buffer.from(await (await download(id, '')).arrayBuffer());
  const text = bytes.toString('latin1');
  const fonts = new Set([...text.matchAll(/\/BaseFont \/[A-Z]{6}\+([A-Za-z]+)/g)].map(([, name]) => name));
  const some = [
    'DejaVuSans',
    'NanumGothic',
    'NotoEmoji',
    'NotoSansDevanagari',
    'NotoSansGurmukhi',
    'NotoSansSC',
    'NotoSansThai',
  ];
  assert.deepEqual([...fonts].toSorted(), some);
  assert.ok(Buffer.from(await (await download(id, '')).arrayBuffer()).equals(bytes));
});

/**
 * Returns the replacement texts that programs use instead of glyphs when they read a PDF aloud or copy from it, in page
 * order.
 */
function actualTexts(pdf: Buffer): string[] {
  const found: string[] = [];
  for (const [whole] of pdf.toString('latin1').matchAll(/stream\n[^]*?endstream/g)) {
    let content: string;
    try {
      content = inflateSync(Buffer.from(whole.slice('stream\n'.length), 'latin1')).toString('latin1');
    } catch {
      // metadata, which is not compressed
      continue;
    }
    for (const [, escaped] of content.matchAll(/\/Span <<\s*\/ActualText \(((?:\\[^]|[^\\)])*)\)\s*>> BDC/g)) {
      const bytes = Buffer.from(
        escaped.replaceAll(/\\([^])/g, (_, sign: string) => ESCAPED[sign] ?? sign),
        'latin1',
      );
      found.push(bytes[0] === 0xfe ? bytes.subarray(2).swap16().toString('utf16le') : bytes.toString('latin1'));
    }
  }
  return found;
}
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

test('right-to-left and shaped text is copied and read aloud in the order in which it was written', async () => {
  const payer = await world.newCustomer({ first_name: 'דנה', last_name: 'כהן' });
  const descriptions = ['יוגה (מתקדמים) 18:00', 'درس يوجا 45', 'ਪੰਜਾਬੀ', 'योग', 'Plain'];
  const { id } = await billed(
    world,
    payer,
    descriptions.map((description) => ({ description })),
  );
  const texts = actualTexts(Buffer.from(await (await download(id, '')).arrayBuffer()));
  assert.ok(texts.includes('דנה כהן'), JSON.stringify(texts));
  for (const description of descriptions.slice(0, -1)) assert.ok(texts.includes(description), JSON.stringify(texts));
  // All other text needs no replacement.
  assert.ok(!texts.includes('Plain'));
});

test('a long invoice spans several pages', async () => {
  const { id } = await anInvoice(120);
  const bytes = Buffer.from(await (await download(id, '')).arrayBuffer());
  const pages = [...bytes.toString('latin1').matchAll(/\/Type \/Page\n/g)].length;
  assert.ok(pages >= 4 && pages <= 12, String(pages));
});

test('customers get the documents of their own family only', async () => {
  const { id, payer } = await anInvoice();
  assert.equal((await download(id, '', {}, world.customer(payer))).status, 200);
  const other = world.customer(await world.newCustomer());
  const answer = await download(id, '', {}, other);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/json; charset=utf-8']);
  assert.equal((await download(id, '', {}, world.staff(['customers']))).status, 403);
  assert.equal((await download(id, '?format=xml')).status, 400);
});
