/** The dashboard in a real browser, for tests that need one: journeys, layout, files, the keyboard. */
import { TestBrowser, type Visitor } from '../../../../test/pages/browser.ts';
import { DashboardWorld, type Colleague } from './dashboard-world.ts';

export class DashboardBrowser extends DashboardWorld {
  /** started at its first use */
  #browser: Promise<TestBrowser> | undefined;

  /** Opens a browser of this person; absent: of a new super admin. */
  async visitor(who?: Colleague): Promise<Visitor> {
    const { cookie } = who ?? (await this.colleague());
    const visitor = await this.stranger();
    await visitor.context.clock.setFixedTime(this.world.now);
    await this.untried.watch(visitor.page);
    await visitor.context.addCookies([{ name: 'rollcall_session', value: cookie, url: this.world.url }]);
    return visitor;
  }

  /** Opens a browser of somebody who has not logged in. */
  async stranger(): Promise<Visitor> {
    const browser = await (this.#browser ??= TestBrowser.start(this.world.url));
    return browser.visitor(undefined, { scripts: true });
  }

  override async close(): Promise<void> {
    await (await this.#browser)?.close();
    await super.close();
  }
}
