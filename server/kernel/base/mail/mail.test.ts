/** Email sent to a real mail server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createMailer } from './index.ts';
import { headerLine, isMailAddress, readSender } from './address.ts';
import { AddressRefused, type Mail } from './mailer.ts';

let server: SMTPServer;
let port: number;
const received: { to: string[]; text: string }[] = [];
before(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => done(null, auth.password === 'right' ? { user: 'x' } : undefined),
    onRcptTo({ address }, _session, done) {
      const codes: Record<string, number> = { 'nobody@example.com': 550, 'later@example.com': 451 };
      const responseCode = codes[address];
      done(responseCode ? Object.assign(new Error('no'), { responseCode }) : null);
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      stream.on('end', () => (received.push({ to: session.envelope.rcptTo.map((r) => r.address), text }), done()));
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  port = (server.server.address() as { port: number }).port;
});
after(() => new Promise<void>((done) => server.close(() => done())));

const tx = undefined as never;
const mail: Mail = {
  providerId: 1,
  fromName: 'Harbour Lane',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'plain',
  html: '<p>marked</p>',
};

test('an email arrives with both parts, in the name of the business', async () => {
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: 'Rollcall <no-reply@rollcall.example>',
  });
  await mailer.send(tx, mail);
  await mailer.close();
  const { to, text } = received.at(-1)!;
  assert.deepEqual(to, ['ada@example.com']);
  assert.match(text, /^From: (?:"?Harbour Lane"?) <no-reply@rollcall\.example>/m);
  assert.match(text, /text\/plain[^]*plain[^]*text\/html[^]*<p>marked<\/p>/);
});

// Guards against: Injecting a header or a recipient into a mail
test('no value can add a header or a recipient', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'no-reply@rollcall.example' });
  const evil = 'x\r\nBcc: eve@example.com\r\n\r\nbody';
  await mailer.send(tx, { ...mail, subject: evil, fromName: evil });
  const { to, text } = received.at(-1)!;
  assert.deepEqual(to, ['ada@example.com']);
  assert.doesNotMatch(text, /^Bcc:/im);
  const before = received.length;
  for (const address of [
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '<ada@example.com>',
    'Ada <ada@example.com>',
    'ada',
    '',
  ]) {
    await assert.rejects(mailer.send(tx, { ...mail, to: address }), /not an email address/);
  }
  assert.equal(received.length, before);
  await mailer.close();
});

test('an email that the server refuses is an error, and a password is not sent in clear', async () => {
  const away = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'no-reply@rollcall.example' });
  await assert.rejects(away.send(tx, mail));
  await away.close();
  const clear = createMailer({ smtpUrl: `smtp://user:right@0.0.0.0:${port}`, mailFrom: 'no-reply@rollcall.example' });
  await assert.rejects(clear.send(tx, mail), /TLS/i);
  await clear.close();
});

test('an address that the server refuses permanently is distinguished from a temporary failure', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'no-reply@rollcall.example' });
  await assert.rejects(mailer.send(tx, { ...mail, to: 'nobody@example.com' }), AddressRefused);
  await assert.rejects(
    mailer.send(tx, { ...mail, to: 'later@example.com' }),
    (error) => !(error instanceof AddressRefused),
  );
  await mailer.close();
});

test('a closed mailer leaves no connection open', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'no-reply@rollcall.example' });
  await mailer.send(tx, mail);
  assert.ok(server.connections.size > 0);
  const gone = [...server.connections].map((c) =>
    once((c as unknown as { _socket: NodeJS.EventEmitter })._socket, 'close'),
  );
  await mailer.close();
  await Promise.all(gone);
  // and the server still serves others
  const probe = connect(port, '127.0.0.1');
  await once(probe, 'data');
  probe.destroy();
});

test('an address is one address, a header is one line, and a sender may have a name', () => {
  for (const right of ['ada@example.com', "o'neil+x@sub.example.com", 'zoë@exämple.org'])
    assert.ok(isMailAddress(right), right);
  assert.equal(headerLine('a\r\nb\u2028c\u0000d'), 'a b c d');
  assert.deepEqual(readSender('"Harbour Lane" <hello@example.org>'), {
    name: 'Harbour Lane',
    address: 'hello@example.org',
  });
  assert.equal(readSender('Harbour Lane'), null);
});
