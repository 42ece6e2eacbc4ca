/** The pay of instructors: pay for classes, approved pay, and classes that no rate covers. */
import '../../ui/filters.css';
import '../../ui/lists.css';
import { Link } from '@tanstack/react-router';
import { Coverage } from './coverage.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Periods } from './periods.tsx';
import { Sessions } from './sessions.tsx';
import { Tabbed, useTab } from '../../ui/tabs.tsx';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofPay } from '../../pay/words.ts';

export const ready = Promise.all([words.ready, ofPay.ready]).then(() => {});

const TABS = { sessions: Sessions, periods: Periods, coverage: Coverage } as const;
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[];

export function Screen() {
  const business = useBusiness();
  const tab = useTab(NAMES);
  const Shown = TABS[tab];
  return (
    <ListPage
      title={words.say('title')}
      tools={
        <p className="small">
          <Link to={`/${business.id}/reports/instructors` as string}>{words.say('totals')}</Link>
          {may(business, 'super_admin') ? (
            <>
              {' · '}
              <Link to={`/${business.id}/settings/staff?at=rates` as string}>{words.say('rates')}</Link>
            </>
          ) : null}
        </p>
      }
    >
      <Tabbed label={words.say('tabs')} tabs={NAMES} shown={tab} titleOf={(one) => words.say(`tab.${one}`)}>
        <Shown />
      </Tabbed>
    </ListPage>
  );
}
