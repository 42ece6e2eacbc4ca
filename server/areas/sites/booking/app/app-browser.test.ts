/** The site as an app, in a real browser whose connection to the service can be cut. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { shows } from '../../../../test/pages/shows.ts';
import { book, newEvent, newPlace } from '../../../../test/schedule-world.ts';
import { createUser } from '../../../people/identity/index.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { TestBrowser } from '../../../../test/pages/browser.ts';
import { until } from '../../../../test/storm.ts';

const PASSWORD = 'otter kettle midnight ferry';

/** The connection between a phone and the service. */
class Air {
  #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  readonly #target: number;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
  }

  static async to(url: string): Promise<Air> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Air(server, Number(new URL(url).port));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  #serve(server: Server): void {
    server.on('connection', (phone) => {
      const service = connect(this.#target, '127.0.0.1');
      for (const [one, other] of [
        [phone, service],
        [service, phone],
      ]) {
        this.#sockets.add(one);
        one.on('error', () => {}).on('close', () => (this.#sockets.delete(one), other.destroy()));
        one.pipe(other);
      }
    });
  }

  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    this.#server = createServer().listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#serve(this.#server);
  }
}

let world: World;
let air: Air;
let browser: TestBrowser;
let home: string;
before(async () => {
  world = await startWorld();
  air = await Air.to(world.url);
  browser = await TestBrowser.start(air.url);
  home = `/${(await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug}`;
});
after(async () => {
  await browser?.close();
  await air?.cut();
  await world?.close();
});

/** Creates a person with an account and bookings. */
async function someone(): Promise<{ email: string; customer: number }> {
  const email = 'ada.app@example.com';
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  const customer = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const { id } = await newEvent(world, await newPlace(world), { name: 'Tidal Yoga' });
  assert.equal((await book(world, id, customer)).status, 200);
  return { email, customer };
}

test('a phone can install the site, under the name and with the icon of the business', async () => {
  const page = await (await fetch(`${world.url}${home}/timetable`)).text();
  const [, path] = /<link rel="manifest" href="([^"]+)">/.exec(page)!;
  const manifest = (await (await fetch(world.url + path)).json()) as any;
  assert.equal(manifest.name, 'Harbour');
  assert.equal((await fetch(world.url + manifest.start_url)).status, 200);
  const icon = await fetch(world.url + manifest.icons[0].src);
  assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png']);
});

test('strangers leave nothing on a device', async () => {
  const visitor = await browser.visitor(undefined, { scripts: true });
  await visitor.open(`${home}/timetable`);
  assert.equal(await visitor.page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'), 0);
  assert.match(await (await fetch(`${world.url}${home}/offline`)).text(), /nobody is logged in/);
  await visitor.close();
});

test('without a connection people find their bookings and their code for the door, until they log out', async () => {
  const { email, customer } = await someone();
  const visitor = await browser.visitor(undefined, { scripts: true });
  const { page } = visitor;
  const kept = (there: boolean) =>
    until('the page that is kept', async () => {
      const found = await page.evaluate(
        `caches.match('/offline', { ignoreVary: true }).then((one) => one !== undefined)`,
      );
      return found === there || null;
    });
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  await visitor.open(`${home}/offline`);
  await visitor.checkAccessible('offline');
  await visitor.open(`${home}/timetable`);
  await kept(true);
  await air.cut();
  await page.goto(`${home}/memberships`);
  assert.match(await visitor.text(), /No connection[^]*Tidal Yoga[^]*Pier 4/);
  assert.equal(
    await page.evaluate(`getComputedStyle(document.querySelector('.button')).borderRadius`),
    '10px',
    'styles too',
  );
  const code = page.getByRole('region', { name: 'At the door' });
  await shows(() => code.innerText(), new RegExp(`Show this code[^]*#${customer}-[0-9A-Z]{10}$`));
  const drawn = await code
    .getByRole('img', { name: 'QR code with this number' })
    .evaluate((image: any) => image.complete && image.naturalWidth);
  assert.ok(drawn > 0, 'the code is drawn');
  await air.mend();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Memberships and prices' }).waitFor();
  await visitor.open(`/account/${world.harbour}/profile`);
  await visitor.submit('Log out');
  await kept(false);
  await air.cut();
  await assert.rejects(page.goto(`${home}/timetable`));
  await air.mend();
  await visitor.close();
});
