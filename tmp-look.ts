import { chromium } from 'playwright-core';
import { browserProgram } from './server/test/browser-program.ts';
import { readFileSync } from 'node:fs';
const [base, creds, out, ...paths] = process.argv.slice(2);
const { owner } = JSON.parse(readFileSync(creds, 'utf8'));
const b = await chromium.launch({
  ...(await browserProgram()),
  headless: true,
  args: ['--no-sandbox', '--disable-gpu'],
});
const c = await b.newContext({
  viewport: { width: Number(process.env.W ?? 1280), height: Number(process.env.H ?? 800) },
  colorScheme: process.env.DARK ? 'dark' : 'light',
});
const p = await c.newPage();
p.on('console', (m) => console.log('console', m.type(), m.text().slice(0, 400)));
p.on('pageerror', (e) => console.log('pageerror', e.message, e.stack?.slice(0, 600)));
p.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText));
p.on('response', (r) => (r.status() >= 400 || /stream/.test(r.url())) && console.log(r.status(), r.url()));
await p.goto(`${base}/log-in`);
await p.fill('input[name=email]', owner.email);
await p.fill('input[name=password]', owner.password);
await p.click('main form button:not([name])');
await p.waitForLoadState();
for (const [i, path] of paths.entries()) {
  await p.goto(base + path);
  await p.waitForTimeout(3000);
  await p.screenshot({ path: `${out}-${i}.png` });
  console.log(p.url(), await p.title());
}
await b.close();
