import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { browserProgram } from './browser-program.ts';
import { TestBrowser } from './browser.ts';
import { captured } from './looks.ts';

const PAGES: Record<string, string> = {
  '/good':
    '<h1>Good</h1><p>Fine.</p><form method="post" action="/done"><label for="n">Name</label> <input id="n" name="n"> <button>Send</button></form>',
  '/styled': '<h1>Styled</h1><p style="color: #777">Not by the policy.</p>',
  '/elsewhere': '<h1>Elsewhere</h1><img alt="" src="http://127.0.0.2:9/x.png">',
  '/scripted': '<h1>Scripted</h1><script>document.title = "ran"</script>',
  '/faint': '<h1>Faint</h1><p>Words</p>',
  '/wide': `<h1>Wide</h1><p>${'wide'.repeat(30)}</p>`,
  '/unlabelled': '<h1>Unlabelled</h1><input name="n">',
  '/done': '<h1>Done</h1>',
};

let server: Server;
let browser: TestBrowser;
before(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader(
      'content-security-policy',
      request.url === '/elsewhere'
        ? "default-src 'none'; img-src * data:"
        : "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'",
    );
    if (request.url === '/dark.css')
      return void response
        .setHeader('content-type', 'text/css')
        .end('@media (prefers-color-scheme: dark) { body { background: #222; color: #444 } }');
    response.end(
      `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">${request.url === '/faint' ? '<link rel="stylesheet" href="/dark.css">' : ''}<main>${PAGES[request.url ?? ''] ?? ''}</main></html>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  browser = await TestBrowser.start(`http://127.0.0.1:${port}`);
});
after(async () => {
  await browser?.close();
  server.close();
});

const opened = async (path: string) => {
  const visitor = await browser.visitor();
  await visitor.open(path);
  return visitor;
};

test('a page that keeps its policy and is accessible to everybody passes', async () => {
  const visitor = await opened('/good');
  await visitor.checkAccessible('good');
  await visitor.submit('Send', { Name: 'Ada' });
  assert.equal(await visitor.heading(), 'Done');
  await visitor.close();
});

test('a visit reports violations of the content security policy and requests to other origins', async () => {
  await assert.rejects(opened('/styled'), /Content Security Policy/);
  await assert.rejects(opened('/elsewhere'), /asked for http:\/\/127\.0\.0\.2:9\/x\.png/);
});

test('a page has no JavaScript', async () => {
  const visitor = await opened('/scripted');
  assert.equal(await visitor.page.title(), 'Page');
});

/** Returns the findings on the page without recording it for the end of the run. */
async function found(path: string): Promise<string> {
  const visitor = await opened(path);
  const eye = await browser.eye();
  const findings = await eye.look(await captured(await visitor.pageToRecord(path.slice(1))));
  await eye.close();
  await visitor.close();
  return findings.join('\n');
}

test('a missing label is found, and text that is too faint in only one color scheme or too wide only on phones', async () => {
  assert.equal(await found('/good'), '');
  assert.match(await found('/unlabelled'), /desktop-light: label:/);
  const faint = await found('/faint');
  assert.match(faint, /desktop-dark: color-contrast:/);
  assert.doesNotMatch(faint, /-light:/);
  assert.match(await found('/wide'), /wide, phone-light: the page is \d+ px wider than the window/);
});

test('the error includes the remedy if the browser cannot run', async (t) => {
  const before = process.env.TEST_BROWSER;
  t.after(() => {
    if (before === undefined) delete process.env.TEST_BROWSER;
    else process.env.TEST_BROWSER = before;
  });
  delete process.env.TEST_BROWSER;
  await assert.rejects(
    browserProgram({ platform: 'darwin', arch: 'arm64' }),
    /this is darwin on arm64\.\nRemedy: install a Chromium/,
  );
  process.env.TEST_BROWSER = '/nowhere/chromium';
  await assert.rejects(browserProgram(), /\/nowhere\/chromium, which cannot be run\.\nRemedy: install a Chromium/);
});
