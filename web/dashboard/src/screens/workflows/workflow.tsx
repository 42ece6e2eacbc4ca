/** One workflow as a diagram of its steps: the trigger, and the actions with their times and conditions. */
import './workflows.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Loading, Missing } from '../../ui/states.tsx';
import { useCall } from '../../app/calls.ts';
import { Runs } from './runs.tsx';
import { said } from '../../triggers/triggers.ts';
import { Simulation, Summary } from './simulation.tsx';
import { Steps } from './steps.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddress, useParam } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { WorkflowForm } from './workflow-form.tsx';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const TABS = ['steps', 'simulation', 'runs'] as const;

export function Screen() {
  const { id: business } = useBusiness();
  const id = Number(useParam('workflow'));
  const navigate = useNavigate();
  const propose = usePropose();
  const [address] = useAddress();
  const [changing, setChanging] = useState(false);
  const found = useCall('GET /crm/workflows/{id}', {
    params: { id },
    fields: ['id', 'name', 'trigger', 'is_enabled'],
  });
  if (found.error && !found.data)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('not_here')}>
        <Link to={`/${business}/workflows` as string}>{words.say('not_here.next')}</Link>
      </Missing>
    );
  if (!found.data) return <Loading />;
  const workflow = found.data;
  const { is_enabled: isOn } = workflow;
  const name = workflow.name ?? words.say('nameless');
  const client = clientOf(business);
  const turn = (): void =>
    void propose({
      title: words.say(isOn ? 'turn_off.title' : 'turn_on.title', { name }),
      confirm: words.say(isOn ? 'turn_off' : 'turn_on'),
      done: words.say(isOn ? 'turned_off' : 'turned_on'),
      about: isOn ? <p>{words.say('turn_off.about')}</p> : <Summary workflow={id} />,
      call: () => client.call('PATCH /crm/workflows/{id}', { params: { id }, body: { is_enabled: !isOn } }),
    });
  const remove = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('delete.title', { name }),
      confirm: words.say('delete'),
      grave: true,
      done: words.say('deleted'),
      call: () => client.call('DELETE /crm/workflows/{id}', { params: { id } }),
    });
    if (outcome.made) void navigate({ to: `/${business}/workflows` as string });
  };
  const tab = TABS.find((one) => one === address.tab) ?? 'steps';
  return (
    <DetailsPage
      className="workflows"
      back={{ to: 'workflows', label: words.say('title') }}
      title={name}
      tools={
        <p className="actions">
          <span className={isOn ? 'tag good' : 'tag'}>{words.say(isOn ? 'on' : 'off')}</span>
          <button type="button" className={isOn ? 'second' : undefined} onClick={turn}>
            {words.say(isOn ? 'turn_off' : 'turn_on')}
          </button>
          <button type="button" className="second" onClick={() => setChanging(true)}>
            {words.say('change')}
          </button>
          <button type="button" className="plain" onClick={() => void remove()}>
            {words.say('delete')}
          </button>
        </p>
      }
    >
      <Tabs label={name} tabs={TABS} shown={tab} titleOf={(one) => words.say(`tab.${one}`)} />
      <section aria-labelledby="tab" key={tab}>
        <h2 id="tab" className="unseen">
          {words.say(`tab.${tab}`)}
        </h2>
        {tab === 'steps' ? <Steps workflow={id} trigger={workflow.trigger} on={said(workflow.trigger)} /> : null}
        {tab === 'simulation' ? <Simulation workflow={id} /> : null}
        {tab === 'runs' ? <Runs workflow={id} /> : null}
      </section>
      {changing ? (
        <WorkflowForm workflow={workflow} onClose={() => setChanging(false)} onMade={() => setChanging(false)} />
      ) : null}
    </DetailsPage>
  );
}
