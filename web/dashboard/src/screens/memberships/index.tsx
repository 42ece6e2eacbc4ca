/** The membership screens: plans and packs, holds, discount codes, strikes and penalties. */
import '../../ui/lists.css';
import './memberships.css';
import { Codes } from './codes/list.tsx';
import { Holds } from './holds/list.tsx';
import { Membership } from './plans/membership.tsx';
import { Penalties } from './strikes/penalties.tsx';
import { Plans } from './plans/list.tsx';
import { Strikes } from './strikes/list.tsx';
import { Tabbed, useAllowed, useTab, type Part } from '../../ui/tabs.tsx';
import { useAddress } from '../../app/address.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofMemberships } from '../../memberships/words.ts';

export const ready = Promise.all([words.ready, ofMemberships.ready]).then(() => {});

const TABS = {
  plans: { needs: ['customers'], Shown: Plans },
  holds: { needs: ['customers'], Shown: Holds },
  codes: { needs: ['discount_codes'], Shown: Codes },
  strikes: { needs: ['customers'], Shown: Strikes },
  penalties: { needs: ['customers'], Shown: Penalties },
} as const satisfies Readonly<Record<string, Part>>;

export function Screen() {
  const [address] = useAddress();
  const tabs = useAllowed(TABS);
  const shown = useTab(tabs);
  const { Shown } = TABS[shown];
  return (
    <ListPage title={words.say('title')} className="memberships">
      <Tabbed label={words.say('tabs')} tabs={tabs} shown={shown} titleOf={(one) => words.say(`tab.${one}`)}>
        {shown === 'plans' && address.membership ? (
          <Membership key={address.membership} id={Number(address.membership)} />
        ) : (
          <Shown />
        )}
      </Tabbed>
    </ListPage>
  );
}
